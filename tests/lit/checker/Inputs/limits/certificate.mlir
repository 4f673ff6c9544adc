// The certificate beside it multiplies a fact of 13 terms with itself, 2000 times to the eighth power.
tile.kernel @k() symbols [a0 : index, a1 : index, a2 : index, a3 : index, a4 : index, a5 : index, a6 : index, a7 : index, a8 : index, a9 : index, a10 : index, a11 : index] grid [1] requires [a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 >= 1] {
  %a = tile.symbol "a0" : index
  %b = arith.addi %a, %a : index
}
