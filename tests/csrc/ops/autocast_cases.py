"""One call of every operator that autocast changes, with CPU tensors of float32.

Each list holds (name of the operator, arguments, keywords).
"""

import torch

GENERATOR = torch.Generator().manual_seed(0)


def r(*shape):
    return torch.randn(shape, generator=GENERATOR)


def p(*shape):
    """Between 0.1 and 0.9: in the domain of every function."""
    return torch.rand(shape, generator=GENERATOR) * 0.8 + 0.1


def longs(*values):
    return torch.tensor(values)


def lower_precision():
    image, kernel = r(1, 2, 5, 5), r(3, 2, 3, 3)
    plain = ([1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    cell = (r(2, 3), r(2, 4), r(16, 3), r(16, 4), r(16), r(16))
    gru = (r(2, 3), r(2, 4), r(12, 3), r(12, 4), r(12), r(12))
    rnn = (r(2, 3), r(2, 4), r(4, 3), r(4, 4), r(4), r(4))
    query = r(1, 2, 6, 4)
    return [
        ("_convolution.deprecated", (image, kernel, r(3), *plain, False, False, True)),
        ("_convolution", (image, kernel, r(3), *plain, False, False, True, True)),
        ("conv1d", (r(1, 2, 7), r(3, 2, 3), r(3))),
        ("conv2d", (image, kernel, r(3))),
        ("conv3d", (r(1, 2, 4, 4, 4), r(3, 2, 2, 2, 2), None)),
        ("conv_tbc", (r(6, 2, 3), r(3, 3, 4), r(4))),
        ("conv_transpose1d", (r(1, 2, 7), r(2, 3, 3), r(3))),
        ("conv_transpose2d.input", (image, r(2, 3, 3, 3), r(3))),
        ("conv_transpose3d.input", (r(1, 2, 3, 3, 3), r(2, 3, 2, 2, 2), r(3))),
        ("convolution", (image, kernel, r(3), *plain)),
        ("prelu", (r(2, 3), r(3))),
        ("addmm", (r(2, 4), r(2, 3), r(3, 4))),
        ("addmv", (r(2), r(2, 3), r(3))),
        ("addr", (r(2, 3), r(2), r(3))),
        ("matmul", (r(2, 2, 3), r(3, 4))),
        ("einsum", ("ij,jk->ik", [r(2, 3), r(3, 4)])),
        ("mm", (r(2, 3), r(3, 4))),
        ("mv", (r(2, 3), r(3))),
        ("linalg_vecdot", (r(2, 3), r(2, 3))),
        ("linear", (r(2, 3), r(4, 3), r(4))),
        ("addbmm", (r(2, 4), r(3, 2, 3), r(3, 3, 4))),
        ("baddbmm", (r(3, 2, 4), r(3, 2, 3), r(3, 3, 4))),
        ("bmm", (r(3, 2, 3), r(3, 3, 4))),
        ("chain_matmul", ([r(2, 3), r(3, 4), r(4, 2)],)),
        ("linalg_multi_dot", ([r(2, 3), r(3, 4), r(4, 2)],)),
        ("lstm_cell", (r(2, 3), [r(2, 4), r(2, 4)], *cell[2:])),
        ("gru_cell", gru),
        ("rnn_tanh_cell", rnn),
        ("rnn_relu_cell", rnn),
        ("scaled_dot_product_attention", (query, query + 1, query - 1)),
    ]


def float32():
    scores, classes = r(3, 4), longs(0, 3, 1)
    signs = longs(1, -1, 1).float()
    return [
        *((name, (p(2, 3),)) for name in FUNCTIONS),
        ("pow.Tensor_Scalar", (p(2, 3), 2.5)),
        ("pow.Tensor_Tensor", (p(2, 3), p(2, 3))),
        ("pow.Scalar", (2, p(2, 3))),
        ("softplus", (r(2, 3),)),
        ("layer_norm", (r(2, 3), [3], r(3), r(3))),
        ("native_layer_norm", (r(2, 3), [3], r(3), r(3), 1e-5)),
        ("rms_norm", (r(2, 3), [3], r(3), 1e-5)),
        ("group_norm", (r(2, 4, 3), 2, r(4), r(4))),
        ("frobenius_norm.dim", (r(2, 3), [0, 1])),
        ("nuclear_norm", (r(2, 3),)),
        ("nuclear_norm.dim", (r(2, 3), [0, 1])),
        ("cosine_similarity", (r(2, 3), r(2, 3))),
        ("poisson_nll_loss", (r(2, 3), p(2, 3), True, False, 1e-8, 1)),
        ("cosine_embedding_loss", (r(3, 4), r(3, 4), signs)),
        ("nll_loss", (scores, classes)),
        ("nll_loss2d", (r(1, 3, 2, 2), torch.zeros(1, 2, 2, dtype=torch.long))),
        ("hinge_embedding_loss", (r(3), signs)),
        ("kl_div", (r(2, 3), p(2, 3))),
        ("l1_loss", (r(2, 3), r(2, 3))),
        ("smooth_l1_loss", (r(2, 3), r(2, 3))),
        ("huber_loss", (r(2, 3), r(2, 3))),
        ("mse_loss", (r(2, 3), r(2, 3))),
        ("margin_ranking_loss", (r(3), r(3), signs)),
        ("multilabel_margin_loss", (scores, longs(*[[0, 1, -1, 0]] * 3))),
        ("soft_margin_loss", (r(3), signs)),
        ("triplet_margin_loss", (r(3, 4), r(3, 4), r(3, 4))),
        ("multi_margin_loss", (scores, classes)),
        ("binary_cross_entropy_with_logits", (r(2, 3), p(2, 3))),
        ("dist", (r(2, 3), r(2, 3))),
        ("pdist", (r(4, 3),)),
        ("cdist", (r(4, 3), r(2, 3))),
        ("renorm", (r(2, 3), 2, 0, 1)),
        ("logsumexp", (r(2, 3), [1])),
        *interpolations(),
    ]


FUNCTIONS = [
    *("acos", "asin", "cosh", "erfinv", "exp", "expm1", "log", "log10", "log2"),
    *("log1p", "reciprocal", "rsqrt", "sinh", "tan"),
]


def interpolations():
    line, plane, space = r(1, 2, 4), r(1, 2, 4, 4), r(1, 2, 3, 3, 3)
    return [
        ("upsample_nearest1d", (line, [6])),
        ("_upsample_nearest_exact1d", (line, [6])),
        ("upsample_nearest2d", (plane, [6, 6])),
        ("_upsample_nearest_exact2d", (plane, [6, 6])),
        ("upsample_nearest3d", (space, [4, 4, 4])),
        ("_upsample_nearest_exact3d", (space, [4, 4, 4])),
        ("upsample_linear1d", (line, [6], False)),
        ("upsample_bilinear2d", (plane, [6, 6], False)),
        ("_upsample_bilinear2d_aa", (plane, [6, 6], False)),
        ("upsample_trilinear3d", (space, [4, 4, 4], False)),
        ("upsample_bicubic2d", (plane, [6, 6], False)),
        ("_upsample_bicubic2d_aa", (plane, [6, 6], False)),
    ]


def float32_output():
    return [
        ("prod", (p(2, 3),)),
        ("prod.dim_int", (p(2, 3), 1)),
        ("softmax.int", (r(2, 3), 1)),
        ("log_softmax.int", (r(2, 3), 1)),
        ("cumprod", (p(2, 3), 1)),
        ("cumsum", (r(2, 3), 1)),
        ("linalg_vector_norm", (r(2, 3),)),
        ("linalg_matrix_norm", (r(2, 3), 1)),
        ("linalg_matrix_norm.str_ord", (r(2, 3),)),
        ("sum", (r(2, 3),)),
        ("sum.dim_IntList", (r(2, 3), [1])),
    ]


def promoted():
    return [
        ("addcdiv", (r(2, 3), r(2, 3), p(2, 3))),
        ("addcmul", (r(2, 3), r(2, 3), r(2, 3))),
        ("atan2", (r(2, 3), r(2, 3))),
        ("bilinear", (r(2, 3), r(2, 4), r(2, 3, 4), r(2))),
        ("cross", (r(2, 3), r(2, 3), 1)),
        ("dot", (r(3), r(3))),
        ("vdot", (r(3), r(3))),
        ("grid_sampler", (r(1, 2, 3, 3), r(1, 2, 2, 2), 0, 0, False)),
        ("index_put", (r(4), [longs(0, 2)], r(2))),
        ("tensordot", (r(2, 3), r(3, 4), [1], [0])),
        ("scatter_add", (r(4), 0, longs(0, 2), r(2))),
    ]
