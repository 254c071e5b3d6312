import Type, { type Static } from '@bundled/typebox';
import { nullable } from './route.ts';

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'Equal to the HTTP status' }),
      message: Type.String({ description: 'Reason phrase, then the detail when there is one' }),
      i18n_error_message: Type.Optional(Type.String({ description: 'Detail meant for end users' })),
      i18n_error_messages: Type.Optional(Type.Array(Type.String())),
      error_message: Type.Optional(Type.String({ description: 'What is wrong with the text of a query' })),
      details: Type.Optional(
        Type.Object({
          line: Type.Optional(Type.Integer({ description: 'Where the text of a query stops being one' })),
          column: Type.Optional(Type.Integer({ description: 'The same within the line' })),
          dashboard: Type.Optional(
            Type.Unsafe<unknown>({
              description: 'Of a dashboard that somebody else changed first: as it is now',
            }),
          ),
          reason: Type.Optional(
            Type.String({
              description:
                'Why somebody who is known is let in nowhere: password_expired until they change it, or account_unusable',
            }),
          ),
        }),
      ),
      faults: Type.Optional(
        Type.Array(Type.Object({ field_id: nullable(Type.Integer()), text: Type.String() }), {
          description:
            'Of refused writes of artifacts: what is wrong with which field, a line of the message each',
        }),
      ),
    }),
    results: Type.Optional(
      Type.Array(Type.Unsafe<unknown>({}), {
        description:
          'What came of the parts of a request that were dealt with before it had to stop, as its answer would have told',
      }),
    ),
  },
  { $id: 'Error', description: 'Body of every answer with a status of 400 and above' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The phrase in front of the detail. Statuses that are not listed carry only the detail. */
export const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};
