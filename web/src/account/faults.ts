import { ApiError } from '@atelier/client';

/** Whether something is wrong with what was sent; else the server is away, or failed, whatever it was. */
export const isOfInput = (error: unknown): boolean => error instanceof ApiError && error.status < 500;
