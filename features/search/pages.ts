import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/search', view: 'search/SearchPage', title: { en: 'Search', ja: '検索' } },
  {
    path: '/search/attachments',
    view: 'search/AttachmentsPage',
    title: { en: 'Pictures, files and links', ja: '画像・ファイル・リンク' },
  },
] as const satisfies readonly PageDefinition[]
