import type { RollCallState } from '../contract.ts'

export interface WaitingAnswer {
  /** Of the roll call. */
  id: number
  /** A child; null for the member. */
  for: number | null
  state: RollCallState
  words: string | null
  place: string | null
  /** When it was given, by the clock of this device, in ms. */
  at: number
}

/** An empty list for what cannot be read. */
export function parseOutbox(stored: string | null): WaitingAnswer[] {
  try {
    const found: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(found) ? found : []
  } catch {
    return []
  }
}
