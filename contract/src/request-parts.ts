import Type from '@bundled/typebox';

/** Items that one list of a request may have. */
export const mostItems = 1000;

/** A list of user groups in a request. */
export const groupIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ description: '104, or 101_3 for group 3 of project 101' }), {
      description,
      maxItems: mostItems,
    }),
  );
