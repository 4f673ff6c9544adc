// expect: VERIFIED
// Quarters of a tile, each in another corner.
!X = !tile.tensor<[4, 8] x f32, shared>
!Y = !tile.tensor<[4, 8] x f32, out partial>
tile.kernel @columns(%x: !X, %y: !Y) grid [1] {
  %row = tile.iota 0 : vector<4x8xindex>
  %column = tile.iota 1 : vector<4x8xindex>
  %left = tile.extract %column[0, 0] : vector<4x8xindex> to vector<4x4xindex>
  %right = tile.extract %column[0, 1] : vector<4x8xindex> to vector<4x4xindex>
  %turned = tile.cat %right, %left, 1 : vector<4x4xindex>
  %up = tile.extract %row[0, 0] : vector<4x8xindex> to vector<2x8xindex>
  %down = tile.extract %row[1, 0] : vector<4x8xindex> to vector<2x8xindex>
  %swapped = tile.cat %down, %up, 0 : vector<2x8xindex>
  %v = tile.gather %x[%swapped, %turned] : !X, vector<4x8xindex>, vector<4x8xindex>
  tile.scatter %v, %y[%row, %turned] : vector<4x8xf32>, !Y, vector<4x8xindex>, vector<4x8xindex>
}
