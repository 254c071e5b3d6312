import type { MakingTools } from '../artifacts/index.ts';
import { stopping, toFailure } from './errors.ts';
import type { Services } from './services.ts';

/** What making many changes in one request takes. */
export function makingTools(services: Services): MakingTools {
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
    refuseWhenStopping() {
      if (services.isStopping()) throw stopping();
    },
  };
}
