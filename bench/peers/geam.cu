/* SPDX-License-Identifier: MIT */
/* cuBLAS's geam as a transposition, B = A^T, of elements of 4, 8 and 16 bytes. Build: nvcc -O2 geam.cu -lcublas */
#include "peer.h"

#include <cublas_v2.h>

int main(void)
{
    cublasHandle_t cublas;

    PEER_CHECK(cublasCreate(&cublas));
    /* Row-major rows x cols is column-major cols x rows. */
    return peer_run("cublas_geam", [&](const shape &s, const char *from, char *to) {
        const float one = 1, zero = 0;
        const double one_d = 1, zero_d = 0;
        const cuDoubleComplex one_z = {1, 0}, zero_z = {0, 0};
        int m = (int)s.rows, n = (int)s.cols;
        if (s.rows > INT32_MAX || s.cols > INT32_MAX)
            return false;
        if (s.bytes == 4)
            PEER_CHECK(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one,
                                   (const float *)from, n, &zero, NULL, m, (float *)to,
                                   m));
        else if (s.bytes == 8)
            PEER_CHECK(cublasDgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one_d,
                                   (const double *)from, n, &zero_d, NULL, m,
                                   (double *)to, m));
        else if (s.bytes == 16)
            PEER_CHECK(cublasZgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one_z,
                                   (const cuDoubleComplex *)from, n, &zero_z, NULL, m,
                                   (cuDoubleComplex *)to, m));
        else
            return false;
        return true;
    });
}
