import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  { path: '/albums', view: 'albums/AlbumsPage', title: { en: 'Albums', ja: 'アルバム' } },
  { path: '/albums/:id', view: 'albums/AlbumsPage', title: { en: 'Album', ja: 'アルバム' } },
] as const satisfies readonly PageDefinition[]
