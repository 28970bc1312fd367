/* SPDX-License-Identifier: MIT */
/* cuTENSOR's permutation of two axes, of elements of 4, 8 and 16 bytes. Build: nvcc -O2 cutensor.cu -lcutensor */
#include "peer.h"

#include <cutensor.h>

#include <map>
#include <tuple>

/* A plan for each shape, made at the first call. */
struct plans {
    cutensorHandle_t handle;
    std::map<std::tuple<size_t, size_t, size_t>, cutensorPlan_t> made;

    cutensorPlan_t get(const shape &s)
    {
        auto key = std::make_tuple(s.rows, s.cols, s.bytes);
        auto found = made.find(key);
        if (found != made.end())
            return found->second;
        /* The first axis is the innermost. */
        const int64_t before[2] = {(int64_t)s.cols, (int64_t)s.rows},
                      after[2] = {(int64_t)s.rows, (int64_t)s.cols};
        const int32_t modes_before[2] = {'c', 'r'}, modes_after[2] = {'r', 'c'};
        cutensorDataType_t type = s.bytes == 4   ? CUTENSOR_R_32F
                                  : s.bytes == 8 ? CUTENSOR_R_64F
                                                 : CUTENSOR_C_64F;
        cutensorComputeDescriptor_t compute =
            s.bytes == 4 ? CUTENSOR_COMPUTE_DESC_32F : CUTENSOR_COMPUTE_DESC_64F;
        cutensorTensorDescriptor_t a, b;
        cutensorOperationDescriptor_t operation;
        cutensorPlanPreference_t preference;
        cutensorPlan_t plan;
        PEER_CHECK(
            cutensorCreateTensorDescriptor(handle, &a, 2, before, NULL, type, s.bytes));
        PEER_CHECK(
            cutensorCreateTensorDescriptor(handle, &b, 2, after, NULL, type, s.bytes));
        PEER_CHECK(cutensorCreatePermutation(handle, &operation, a, modes_before,
                                             CUTENSOR_OP_IDENTITY, b, modes_after,
                                             compute));
        PEER_CHECK(cutensorCreatePlanPreference(
            handle, &preference, CUTENSOR_ALGO_DEFAULT, CUTENSOR_JIT_MODE_NONE));
        PEER_CHECK(cutensorCreatePlan(handle, &plan, operation, preference, 0));
        made[key] = plan;
        return plan;
    }
};

int main(void)
{
    plans all;

    PEER_CHECK(cutensorCreate(&all.handle));
    return peer_run("cutensor_permute", [&](const shape &s, const char *from, char *to) {
        const float one = 1;
        const double one_d = 1;
        const double one_z[2] = {1, 0};
        const void *alpha = s.bytes == 4   ? (const void *)&one
                            : s.bytes == 8 ? (const void *)&one_d
                                           : (const void *)one_z;
        if (s.bytes != 4 && s.bytes != 8 && s.bytes != 16)
            return false;
        PEER_CHECK(cutensorPermute(all.handle, all.get(s), alpha, from, to, 0));
        return true;
    });
}
