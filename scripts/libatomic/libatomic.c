/*
 * The one function of libatomic that the Node of npm asks for. Machines without a compiler often lack that library, and then its Node does not
 * start. The compiled forms beside this file are what `build.sh` makes of it; the set-up takes them only where the library is missing.
 */
#include <stdint.h>

/* In C its name belongs to the compiler. */
_Bool compare_exchange(unsigned long size, void *place, void *expected, void *desired, int success, int failure)
    __asm__("__atomic_compare_exchange");

#define COMPARE(type) \
  __atomic_compare_exchange((type *)place, (type *)expected, (type *)desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

/* The strictest order serves all that callers may ask for. */
_Bool compare_exchange(unsigned long size, void *place, void *expected, void *desired, int success, int failure) {
  (void)success;
  (void)failure;
  switch (size) {
  case 1:
    return COMPARE(uint8_t);
  case 2:
    return COMPARE(uint16_t);
  case 4:
    return COMPARE(uint32_t);
  case 8:
    return COMPARE(uint64_t);
  default:
    /* Nothing in Node does: it would need a lock that others know. */
    __builtin_trap();
  }
}
