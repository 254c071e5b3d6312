import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../kernel/addresses.ts';
import type { Config } from '../../kernel/config.ts';
import type { ConnectionCounts } from '../../kernel/connection-counts.ts';
import { refuseConnection } from './arrival.ts';

/** Milliseconds in which the first request of a connection is on its way at the most. */
const patience = 1000;

/** So many are told at a time that there is no room for them; more are cut off. */
const mostRefused = 100;

/**
 * Whose connections are taken. One address has so many and no more. When all together are too many, those give way that never sent a
 * request, the oldest first, and then those that wait for another one: so whoever only occupies connections keeps nobody out.
 */
export class ConnectionGate {
  readonly #counts: ConnectionCounts;
  readonly #limits: { readonly all: number; readonly address: number };
  /** Connections over which no request has come yet, in the order in which they were opened, and when that was. */
  readonly #silent = new Map<Socket, number>();
  /** Connections that are being refused. */
  readonly #refused = new Set<Socket>();

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

  /** A request came. Tells whether it is to be answered: whoever was refused may have sent it before they knew. */
  hears(socket: Socket): boolean {
    this.#silent.delete(socket);
    return this.#refused.size === 0 || !this.#refused.has(socket);
  }

  #refuse(socket: Socket): void {
    if (this.#refused.size >= mostRefused) return void socket.destroy();
    this.#refused.add(socket);
    socket.once('close', () => this.#refused.delete(socket));
    refuseConnection(socket);
  }

  #enter(server: Server, socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    if (this.#counts.of(address) >= this.#limits.address) return this.#refuse(socket);
    if (this.#counts.all() >= this.#limits.all && !this.#makeRoom(server)) return this.#refuse(socket);
    this.#counts.add(address, 1);
    this.#silent.set(socket, performance.now());
    socket.once('close', () => {
      this.#counts.add(address, -1);
      this.#silent.delete(socket);
    });
  }

  /** Tells whether there is room at once. */
  #makeRoom(server: Server): boolean {
    const [oldest, since = 0] = this.#silent.entries().next().value ?? [];
    if (oldest === undefined || performance.now() - since < patience) {
      server.closeIdleConnections();
      return false;
    }
    this.#silent.delete(oldest);
    oldest.destroy();
    return true;
  }
}
