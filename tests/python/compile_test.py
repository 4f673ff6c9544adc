# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""girih.compile and girih.tile_ir: only what is VERIFIED is compiled."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import girih
from tree import ROOT, shipped, verdict

ASSEMBLER = ROOT / "tests/tileir/assembler.sh"  # its cubin is the bytecode


def compile_add(folder, **options):
    options = {"arch": "sm_90", "tileiras": ASSEMBLER, "cache": "", **options}
    return girih.compile(shipped("add"), folder, **options)


class Compile(unittest.TestCase):
    def test_artefacts(self):
        made = compile_add("made", arch=["sm_90", "sm_120"])
        self.assertEqual((made.folder, made.name, made.assembler),
                         ("made", "add", "tileiras 13.5.0"))
        self.assertEqual(os.fspath(made), "made")
        self.assertEqual(sorted(p.name for p in pathlib.Path(made).iterdir()),
                         ["manifest.json", "proof.json", "sm_120.cubin",
                          "sm_90.cubin"])
        manifest = json.loads(pathlib.Path("made/manifest.json").read_text())
        self.assertEqual(manifest["variants"][0]["digest"],
                         girih.verify(shipped("add")).kernels[0].digest)

    def test_tile_ir(self):
        [made] = girih.tile_ir(shipped("add"), arch="sm_90")
        self.assertEqual(made.kernel, "add")
        self.assertEqual(made.bytecode[:8], b"\x7fTileIR\0")
        self.assertIn("add", made.text)
        compile_add("code")
        self.assertEqual(pathlib.Path("code/sm_90.cubin").read_bytes(),
                         made.bytecode)

    def test_verified_once(self):
        found = girih.verify(shipped("add").read_text())
        made = girih.compile(found, "again", arch="sm_90", tileiras=ASSEMBLER)
        self.assertEqual(made.name, "add")

    def test_only_verified_kernels(self):
        for kernel, code in ((ROOT / "tests/corpus/girih/bugs/permute_race.mlir", 1),
                             (verdict("coverage/covers_xor.unknown"), 2)):
            with self.assertRaises(girih.NotVerified) as caught:
                girih.compile(kernel, "refused", tileiras=ASSEMBLER)
            self.assertEqual(caught.exception.code, code)
            self.assertFalse(caught.exception.verification)
            self.assertIn(kernel.name, str(caught.exception))
            with self.assertRaises(girih.NotVerified):
                girih.tile_ir(kernel)
        with self.assertRaises(girih.Malformed):
            girih.compile("{", "refused", tileiras=ASSEMBLER)
        self.assertFalse(pathlib.Path("refused").exists())
        with self.assertRaises(TypeError):
            girih._core.VerifiedKernels()

    def test_narrow_indices_are_not_compiled(self):
        narrow = girih.verify(shipped("add"), index_width=16)
        with self.assertRaises(girih.NotVerified):
            girih.tile_ir(narrow)

    def test_opt_outs(self):
        found = girih.verify(verdict("contents/raw.good"))
        self.assertIs(found.verdict, girih.Verdict.VERIFIED)
        self.assertEqual((found.exit_code, bool(found)), (2, False))
        self.assertEqual(found.kernels[0].opt_outs[0].form, "raw")
        with self.assertRaises(girih.Refused):
            girih.tile_ir(found, arch="sm_90")
        [made] = girih.tile_ir(found, arch="sm_90", allow_trust=True)
        self.assertEqual(made.kernel, found.kernels[0].name)

    def test_signed(self):
        subprocess.run([sys.executable, ROOT / "tests/lit/tileir/Inputs/keys.py",
                        "key"], check=True)  # key.pem, key.pub, key.json
        signed, plain = compile_add("signed", sign="key.pem"), compile_add("plain")
        manifests = [pathlib.Path(made, "manifest.json").read_bytes()
                     for made in (signed, plain)]
        self.assertEqual(*manifests)
        self.assertFalse(pathlib.Path("plain/signature.json").exists())
        girih.load(signed, policy="key.json")
        with self.assertRaisesRegex(girih.Error, "the policy asks for a signature"):
            girih.load(plain, policy="key.json")
        # What was signed for another manifest signs nothing.
        other = compile_add("other", arch="sm_100")
        pathlib.Path(other, "signature.json").write_bytes(
            pathlib.Path(signed, "signature.json").read_bytes())
        with self.assertRaises(girih.Error):
            girih.load(other, policy="key.json")
        girih.load(other)
        for key, code in (("key.pub", 3), ("absent", 3), (3, 3), ("a\0b", 3)):
            with self.assertRaises(girih.Error, msg=key) as caught:
                compile_add("unsigned", sign=key)
            self.assertEqual(caught.exception.code, code)
        self.assertFalse(pathlib.Path("unsigned").exists())
        # Without a key the artefact takes the place of the signed one.
        girih.load(compile_add("signed"))
        self.assertFalse(pathlib.Path("signed/signature.json").exists())

    def test_cache(self):
        kept = pathlib.Path("kept")
        compile_add("first", cache=kept)
        [entry] = kept.iterdir()
        entry.write_bytes(b"damage")
        compile_add("second", cache=kept)
        self.assertEqual(pathlib.Path("first/sm_90.cubin").read_bytes(),
                         pathlib.Path("second/sm_90.cubin").read_bytes())
        self.assertNotEqual(entry.read_bytes(), b"damage")
        entry.unlink()
        kept.chmod(0o777)  # what others may write to is not used
        compile_add("third", cache=kept)
        self.assertEqual(list(kept.iterdir()), [])

    def test_options(self):
        self.assertEqual(girih.architectures()[0], "sm_80")
        for wrong in ({"arch": "sm_1"}, {"arch": []}, {"arch": ["sm_90"] * 2},
                      {"arch": [90]}, {"arch": "sm_90\0"},
                      {"allow_trust": 1}, {"line_info": "no"},
                      {"time_limit": 0}, {"time_limit": 2.5},
                      {"time_limit": True}, {"tileiras": 3}, {"cache": 3}):
            with self.assertRaises(girih.Refused, msg=wrong):
                compile_add("wrong", **wrong)
        for folder in (None, 3, "a\0b"):
            with self.assertRaises(girih.Refused, msg=folder):
                compile_add(folder)
        with self.assertRaises(girih.Error) as caught:
            compile_add("wrong", tileiras="absent")
        self.assertEqual(caught.exception.kind, "missing")
        self.assertFalse(pathlib.Path("wrong").exists())


if __name__ == "__main__":
    unittest.main()
