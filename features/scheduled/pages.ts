import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/scheduled',
    view: 'scheduled/ScheduledPage',
    title: { en: 'Scheduled', ja: '送信予約' },
  },
] as const satisfies readonly PageDefinition[]
