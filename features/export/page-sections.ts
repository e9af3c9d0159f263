import type { AddedPageSection } from '#core/contract.ts'

export const pageSections = [
  { path: '/account', view: 'export/ExportPageSection' },
] as const satisfies readonly AddedPageSection[]
