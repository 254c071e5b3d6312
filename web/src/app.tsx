import { createClient } from '@atelier/client';
import { Button } from 'react-aria-components';

const client = createClient({ baseUrl: '' });

export function App() {
  return <Button onPress={() => client}>Atelier</Button>;
}
