"""Calls libinfiniops on PyTorch CPU tensors, through the test library of c_api.h."""

import ctypes
import os

import torch

DTYPES = {
    torch.int8: 0,
    torch.int16: 1,
    torch.int32: 2,
    torch.int64: 3,
    torch.uint8: 4,
    torch.uint16: 5,
    torch.uint32: 6,
    torch.uint64: 7,
    torch.float16: 8,
    torch.bfloat16: 9,
    torch.float32: 10,
    torch.float64: 11,
}


class Tensor(ctypes.Structure):
    """InfiniTestTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("dimensions", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * 8),
        ("strides", ctypes.c_int64 * 8),
        ("dtype", ctypes.c_int32),
    )

    @classmethod
    def of(cls, tensor):
        return cls(
            tensor.data_ptr(),
            tensor.dim(),
            (ctypes.c_int64 * 8)(*tensor.shape),
            (ctypes.c_int64 * 8)(*tensor.stride()),
            DTYPES[tensor.dtype],
        )


class Library:
    """The loaded test library; its path comes from INFINI_OPS_TEST_LIBRARY."""

    def __init__(self, path=None):
        self.library = ctypes.CDLL(path or os.environ["INFINI_OPS_TEST_LIBRARY"])
        self.library.infini_test_error.restype = ctypes.c_char_p

    def _check(self, status):
        if status != 0:
            raise ValueError(self.library.infini_test_error().decode())

    def binary(self, name, a, b, out, repeats=1):
        """Computes into `out` and returns the nanoseconds per call."""
        taken = ctypes.c_double()
        self._check(
            self.library.infini_test_binary(
                name.encode(),
                ctypes.byref(Tensor.of(a)),
                ctypes.byref(Tensor.of(b)),
                ctypes.byref(Tensor.of(out)),
                ctypes.c_int64(repeats),
                ctypes.byref(taken),
            )
        )
        return taken.value / repeats

    def cast(self, source, out):
        self._check(
            self.library.infini_test_cast(
                ctypes.byref(Tensor.of(source)), ctypes.byref(Tensor.of(out))
            )
        )

    def gemm(self, a, b, c, beta=0.0, repeats=1):
        """Computes into `c` and returns the nanoseconds per call."""
        taken = ctypes.c_double()
        self._check(
            self.library.infini_test_gemm(
                ctypes.byref(Tensor.of(a)),
                ctypes.byref(Tensor.of(b)),
                ctypes.byref(Tensor.of(c)),
                ctypes.c_float(beta),
                ctypes.c_int64(repeats),
                ctypes.byref(taken),
            )
        )
        return taken.value / repeats
