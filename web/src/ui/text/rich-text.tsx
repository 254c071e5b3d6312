import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import styles from './rich-text.module.css';
import { safeFragment } from './safe-html.ts';

export type RichTextProps = {
  /** HTML of the server, which has made it safe; it is made safe here once more. */
  html: string;
  /** Where tasks may be ticked: the how-manieth of the text, and what it becomes. */
  onTask?: ((index: number, isDone: boolean) => void) | undefined;
  className?: string;
};

/** The only place where HTML that people wrote becomes part of a page. */
export function RichText({ html, onTask, className }: RichTextProps) {
  const { ui } = useMessages();
  const place = useRef<HTMLDivElement>(null);
  const router = useRouter({ warn: false });
  const isTickable = onTask !== undefined;
  useLayoutEffect(() => {
    place.current?.replaceChildren(safeFragment(html, { words: ui, isTickable }));
  }, [html, ui, isTickable]);

  const click = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const box = event.target.closest('input[data-task]');
    if (box instanceof HTMLInputElement) return onTask?.(Number(box.dataset['task']), box.checked);
    const link = event.target.closest('a');
    if (link === null || !isPlainClick(event) || link.target !== '' || link.origin !== location.origin)
      return;
    if (!isPage(link.pathname)) return;
    event.preventDefault();
    router?.history.push(link.pathname + link.search + link.hash);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: links and boxes inside are what is pressed
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div ref={place} className={classes(styles['prose'], className)} onClick={click} />
  );
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Paths that the server answers by itself are left to the browser; so are addresses it redirects. */
function isPage(path: string): boolean {
  return !/^\/(api|uploads|exports|plugins|svn-content|svnplugin|goto|assets)(\/|$)/.test(path);
}
