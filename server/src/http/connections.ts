import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../kernel/addresses.ts';
import type { Config } from '../kernel/config.ts';
import type { ConnectionCounts } from '../kernel/connection-counts.ts';
import { refuseConnection } from './arrival.ts';

/**
 * Whose connections are taken. One address has so many and no more. When all together are too many, those give way that never sent a
 * request, the oldest first, and then those that wait for another one: so whoever only occupies connections keeps nobody out.
 */
export class ConnectionGate {
  readonly #counts: ConnectionCounts;
  readonly #limits: { readonly all: number; readonly address: number };
  /** Connections over which no request has come yet, in the order in which they were opened. */
  readonly #silent = new Set<Socket>();

  constructor(counts: ConnectionCounts, { maxConnections, maxAddressConnections, trustProxy }: Config) {
    this.#counts = counts;
    // Behind a proxy everybody has its address; how many of them there are is for the proxy to say.
    this.#limits = {
      all: maxConnections,
      address: trustProxy ? Number.POSITIVE_INFINITY : maxAddressConnections,
    };
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#enter(server, socket));
  }

  /** A request came. */
  heard(socket: Socket): void {
    this.#silent.delete(socket);
  }

  #enter(server: Server, socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    if (this.#counts.of(address) >= this.#limits.address) return refuseConnection(socket);
    if (this.#counts.all() >= this.#limits.all && !this.#makeRoom(server)) return refuseConnection(socket);
    this.#counts.add(address, 1);
    this.#silent.add(socket);
    socket.once('close', () => {
      this.#counts.add(address, -1);
      this.#silent.delete(socket);
    });
  }

  /** Tells whether there is room at once. */
  #makeRoom(server: Server): boolean {
    const [oldest] = this.#silent;
    oldest?.destroy();
    if (oldest === undefined) server.closeIdleConnections();
    else this.#silent.delete(oldest);
    return oldest !== undefined;
  }
}
