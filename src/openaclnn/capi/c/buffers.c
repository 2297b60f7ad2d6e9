/* Data buffers: an address and a size, for those who hand both around as one. */
#include "internal.h"

#include <stdlib.h>

struct DataBuffer {
    void *data;
    size_t size;
};

aclDataBuffer *run_aclCreateDataBuffer(void *data, size_t size)
{
    struct DataBuffer *made = malloc(sizeof *made);
    if (made)
        *made = (struct DataBuffer){data, size};
    return handle_new(DATA_BUFFER, made);
}

aclError run_aclDestroyDataBuffer(const aclDataBuffer *dataBuffer)
{
    struct DataBuffer *found = handle_end(DATA_BUFFER, dataBuffer, DESTROYED);
    free(found);
    return found ? 0 : fail_handle(DATA_BUFFER, dataBuffer, __func__, "dataBuffer");
}

/* Copy the buffer of a handle, or say why not. */
static struct DataBuffer look_up(const aclDataBuffer *handle, const char *function)
{
    handles_lock();
    struct DataBuffer *found = handle_find(DATA_BUFFER, handle);
    struct DataBuffer copy = found ? *found : (struct DataBuffer){NULL, 0};
    handles_unlock();
    if (!found)
        fail_handle(DATA_BUFFER, handle, function, "dataBuffer");
    return copy;
}

aclError run_aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size)
{
    handles_lock();
    struct DataBuffer *found = handle_find(DATA_BUFFER, dataBuffer);
    if (found)
        *found = (struct DataBuffer){data, size};
    handles_unlock();
    return found ? 0 : fail_handle(DATA_BUFFER, dataBuffer, __func__, "dataBuffer");
}

void *run_aclGetDataBufferAddr(const aclDataBuffer *dataBuffer)
{
    return look_up(dataBuffer, __func__).data;
}

uint32_t run_aclGetDataBufferSize(const aclDataBuffer *dataBuffer)
{
    return (uint32_t)look_up(dataBuffer, __func__).size;
}

size_t run_aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer)
{
    return look_up(dataBuffer, __func__).size;
}
