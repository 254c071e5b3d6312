import { Component, type ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { wordsOfError } from '../store/index.ts';
import { ErrorPlace } from '../ui/index.ts';
import styles from './part.module.css';

interface BoundaryProps {
  readonly children: ReactNode;
  /** Another one means that something else is shown: the fault is over. */
  readonly what: string;
  readonly title: string;
  readonly words: string;
}

/** A part that breaks shows its own fault and leaves the rest of the page alive. */
class Boundary extends Component<BoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (before.what !== this.props.what && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className={styles['part']}>
        <ErrorPlace
          title={this.props.title}
          words={wordsOfError(error)}
          onRetry={() => this.setState({ error: undefined })}
        >
          <p>{this.props.words}</p>
        </ErrorPlace>
      </div>
    );
  }
}

/** Put around each part of a page that can fail by itself. */
export function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const { shell } = useMessages();
  return (
    <Boundary what={name} title={shell.unexpected} words={shell.unexpectedWords}>
      {children}
    </Boundary>
  );
}
