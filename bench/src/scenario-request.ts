/** One request; its headers come from `rawRequest`, the same for the product and the floors. */
export interface ScenarioRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as JSON. */
  body?: string;
}
