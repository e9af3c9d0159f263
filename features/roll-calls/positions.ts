import type { BoardCounts } from './contract.ts'

// The board shows those who need help first, then those without an answer. A position is one number, so that
// it is a cursor too: the rank of the state, and the id of the member.

export type BoardState = keyof BoardCounts

const ranks: Readonly<Record<BoardState, number>> = { help: 1, none: 2, away: 3, safe: 4 }
/** Above every id of a member. */
const RANK = 10 ** 12

export const positionOf = (state: BoardState, user: number) => firstOf(state) + user
export const firstOf = (state: BoardState) => ranks[state] * RANK
/** Excluded. */
export const endOf = (state: BoardState) => firstOf(state) + RANK

export const emptyCounts = (): BoardCounts => ({ help: 0, none: 0, away: 0, safe: 0 })

const states = Object.keys(ranks) as BoardState[]
export const stateOfRank = (rank: number) => states.find((state) => ranks[state] === rank)!
/** Of a position in SQL, as an integer. */
export const RANK_DIVISOR = RANK
