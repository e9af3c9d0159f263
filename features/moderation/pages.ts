import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  { path: '/report/:kind/:id', view: 'moderation/CreateReportPage', title: { en: 'Reports', ja: '報告' } },
  { path: '/moderation', view: 'moderation/ReportsAndNoticesPage', title: { en: 'Reports', ja: '報告' } },
]
