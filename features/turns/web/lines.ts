import type { PickedPerson } from '#features/people/web/PeoplePicker.tsx'
import type { Line, TurningGroup } from '../contract.ts'

/** What an admin chooses for one group. */
export interface Choice {
  what: 'stays' | 'goesOn' | 'ends'
  name: string
  leaving: readonly number[]
  joining: readonly PickedPerson[]
  /** Undefined: as before. */
  owner?: number | null
}

export const firstChoice = ({ name, next }: TurningGroup): Choice => ({
  what: 'stays',
  name: next ?? name,
  leaving: [],
  joining: [],
})

export function toLine({ id }: TurningGroup, { what, name, leaving, joining, owner }: Choice): Line {
  if (what === 'ends') return { group: id, name: null, leaving: [], joining: [] }
  const people = joining.map((person) => person.id)
  return { group: id, name, leaving: [...leaving], joining: people, ...(owner !== undefined && { owner }) }
}
