import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/events', view: 'events/CalendarPage', title: { en: 'Events', ja: '予定' } },
  { path: '/events/:id', view: 'events/EventPage', title: { en: 'Event', ja: '予定' } },
] as const satisfies readonly PageDefinition[]
