/**
 * Something that is there already, or will be. Reads give it: most of what is asked for is remembered or read without waiting, and a turn of
 * the event loop for each step would be most of the work. Whoever can wait writes `await`; whoever cannot looks whether it is a promise.
 */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with what is there, at once where it is. */
export function whenThere<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
