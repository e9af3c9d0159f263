import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/events', view: 'calendars/AddressPageSection' },
] as const satisfies readonly AddedPageSection[]
