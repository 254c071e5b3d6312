import Type, { type Static } from '@bundled/typebox';
import { choice } from './route.ts';

/** More than any list has values. */
const mostIds = 10_000;
const ids = Type.Array(Type.Integer(), { maxItems: mostIds });

export const FieldSemantic = Type.Object({ field_id: Type.Integer() }, { $id: 'FieldSemantic' });
export const StatusSemantic = Type.Object(
  {
    field_id: Type.Integer(),
    value_ids: Type.Array(Type.Integer(), {
      maxItems: mostIds,
      description: 'The open values; 100 is an empty status',
    }),
  },
  { $id: 'StatusSemantic' },
);
export const TimeframeSemantic = Type.Object(
  {
    start_date_field_id: Type.Optional(Type.Integer()),
    duration_field_id: Type.Optional(Type.Integer()),
    end_date_field_id: Type.Optional(Type.Integer()),
    implied_from_tracker: Type.Optional(
      Type.Object({ id: Type.Integer(), uri: Type.Optional(Type.String()) }),
    ),
  },
  { $id: 'TimeframeSemantic', description: 'A start with a duration or an end, or another tracker' },
);
export const ProgressSemantic = Type.Object(
  {
    total_effort_field_id: Type.Optional(Type.Integer()),
    remaining_effort_field_id: Type.Optional(Type.Integer()),
    artifact_link_type: Type.Optional(choice(['_is_child'])),
  },
  { $id: 'ProgressSemantic', description: 'Two fields with efforts, or a link type' },
);

export const DoneSemantic = Type.Object({ value_ids: ids }, { $id: 'DoneSemantic' });
export const TooltipSemantic = Type.Object({ field_ids: ids }, { $id: 'TooltipSemantic' });

export const Semantics = Type.Object(
  {
    title: Type.Optional(FieldSemantic),
    description: Type.Optional(FieldSemantic),
    status: Type.Optional(StatusSemantic),
    contributor: Type.Optional(FieldSemantic),
    timeframe: Type.Optional(TimeframeSemantic),
    progress: Type.Optional(ProgressSemantic),
    initial_effort: Type.Optional(FieldSemantic),
  },
  { $id: 'Semantics' },
);
export type Semantics = Static<typeof Semantics>;

/** All semantics, for those who administer the tracker: the compatible form leaves out the last two. */
export const AllSemantics = Type.Object(
  {
    ...Semantics.properties,
    done: Type.Optional(DoneSemantic),
    tooltip: Type.Optional(TooltipSemantic),
  },
  { $id: 'AllSemantics' },
);
export type AllSemantics = Static<typeof AllSemantics>;
