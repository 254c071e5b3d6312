import type { BatchDeps } from '../../../artifacts/index.ts';
import { unavailable } from '../../../kernel/errors.ts';
import { toFailure } from '../../pipeline/index.ts';
import type { Services } from '../../services.ts';

/** What making many changes in one request takes. */
export function batchDeps(services: Services): BatchDeps {
  return {
    operations: services.operations,
    async erase(released) {
      await services.keeper.erase(released);
    },
    explain(error) {
      const { body, fault } = toFailure(error);
      if (fault !== undefined) services.log.error({ err: fault }, 'one change of many failed');
      const { code, message, i18n_error_message: words } = body.error;
      return { code, message: words ?? message };
    },
    isLate: () => services.door.isLate,
  };
}

/** Says how far the changes of one request have come when the service stops in the middle. */
export const stoppedAfter = (results: readonly unknown[], all: number) =>
  unavailable(
    `The service is stopping. Of ${all} parts of this request the first ${results.length} were dealt with, as results tells; ` +
      'none of the others was begun.',
    { retryAfter: 5, results },
  );
