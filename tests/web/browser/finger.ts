import { setTimeout } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import type { Visitor } from './browser.ts';

export const TELEPHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

/** One finger on the screen. */
export class Finger {
  readonly #devTools: CDPSession;

  private constructor(devTools: CDPSession) {
    this.#devTools = devTools;
  }

  static async of({ context, page }: Visitor): Promise<Finger> {
    return new Finger(await context.newCDPSession(page));
  }

  async down(x: number, y: number): Promise<void> {
    await this.#devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  }

  async up(): Promise<void> {
    await this.#devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  /** Holds a place for longer than a tap. */
  async hold(x: number, y: number): Promise<void> {
    await this.down(x, y);
    await setTimeout(700);
    await this.up();
  }

  /** From a place to another one, in small steps as a hand does it. */
  async swipe(x: number, y: number, across: number, downwards: number): Promise<void> {
    const STEPS = 10;
    await this.down(x, y);
    for (let step = 1; step <= STEPS; step++) {
      const point = { x: x + (across * step) / STEPS, y: y + (downwards * step) / STEPS };
      await this.#devTools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
    }
    await this.up();
  }
}
