export { type ListCriterion, parseCriteria, readCriteria } from './criteria.ts';
