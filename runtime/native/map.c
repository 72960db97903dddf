/* The only native code: map(fd, offset, length) gives an ArrayBuffer over the file's own pages.
 *
 * Built without any header or library, so that one small file runs on every Linux of its processor:
 * the prototypes below are Node-API version 8's and POSIX's, declared by hand, found in the running
 * process. The map goes when the collector drops the buffer; JavaScript never sees the pointer. */
typedef __SIZE_TYPE__ size_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
typedef void (*napi_finalize)(napi_env, void *data, void *hint);

int napi_get_cb_info(napi_env, napi_callback_info, size_t *count, napi_value *values, napi_value *self, void **data);
int napi_get_value_int32(napi_env, napi_value, int32_t *);
int napi_get_value_int64(napi_env, napi_value, int64_t *);
int napi_throw_error(napi_env, const char *code, const char *message);
int napi_create_external_arraybuffer(napi_env, void *, size_t, napi_finalize, void *hint, napi_value *);
int napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
void *mmap(void *, size_t, int, int, int, int64_t);
int munmap(void *, size_t);

enum { PROT_READ = 1, MAP_SHARED = 1 };

static void drop(napi_env env, void *start, void *length) { munmap(start, (size_t)length); }

static napi_value fail(napi_env env, const char *code, const char *message) {
  napi_throw_error(env, code, message);
  return 0;
}

static napi_value map(napi_env env, napi_callback_info info) {
  size_t count = 3;
  napi_value given[3], buffer;
  int32_t fd;
  int64_t offset, length;
  if (napi_get_cb_info(env, info, &count, given, 0, 0) || count < 3 || napi_get_value_int32(env, given[0], &fd) ||
      napi_get_value_int64(env, given[1], &offset) || napi_get_value_int64(env, given[2], &length) || fd < 0 ||
      offset < 0 || length < 1)
    return fail(env, "EINVAL", "map(fd, offset, length)");
  void *start = mmap(0, (size_t)length, PROT_READ, MAP_SHARED, fd, offset);
  if (start == (void *)-1) return fail(env, "EMMAP", "the file cannot be mapped");
  if (napi_create_external_arraybuffer(env, start, (size_t)length, drop, (void *)(size_t)length, &buffer)) {
    munmap(start, (size_t)length);
    return fail(env, "ENOEXT", "external buffers are not allowed here");
  }
  return buffer;
}

int32_t node_api_module_get_api_version_v1(void) { return 8; }

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  if (napi_create_function(env, "map", 3, map, 0, &function) == 0)
    napi_set_named_property(env, exports, "map", function);
  return exports;
}
