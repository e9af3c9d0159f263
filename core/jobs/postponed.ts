/**
 * The error that a handler throws when it has done nothing yet, and wants to begin after `delay` ms. The
 * attempt does not count.
 */
export class JobPostponed extends Error {
  readonly delay: number
  constructor(delay: number) {
    super('Postponed')
    this.delay = delay
  }
}
