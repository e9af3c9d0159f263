import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/report/:kind/:id',
    view: 'moderation/CreateReportPage',
    title: { en: 'Reports', ja: '問題の報告' },
  },
  {
    path: '/moderation',
    view: 'moderation/ReportsAndNoticesPage',
    title: { en: 'Reports', ja: '問題の報告' },
  },
] as const satisfies readonly PageDefinition[]
