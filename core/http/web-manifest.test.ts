import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Language } from '#core/contract.ts'
import { defineFeature } from '#core/feature/module.ts'
import { serveManifest } from '#core/http/web-manifest.ts'

const view = 'x/XPage'
const features = [
  defineFeature({
    name: 'letters',
    pages: [
      { path: '/letters', view, title: { en: 'Letters', ja: '手紙' }, appShortcutPosition: 20 },
      { path: '/stamps', view, title: { en: 'Stamps', ja: '切手' } },
    ],
  }),
  defineFeature({
    name: 'parcels',
    pages: [{ path: '/parcels', view, title: { en: 'Parcels', ja: '小包' }, appShortcutPosition: 10 }],
  }),
  defineFeature({
    name: 'sample',
    isDemo: true,
    pages: [{ path: '/sample', view, title: { en: 'Sample', ja: '見本' }, appShortcutPosition: 5 }],
  }),
]

interface Community {
  default_language?: Language | null
  membersOnly?: boolean
}

/** Reads the web manifest of a test app whose community has a picture. */
async function readManifest(
  { default_language = null, membersOnly = false }: Community = {},
  headers: Record<string, string> = {},
) {
  const app = Fastify()
  const context = {
    publicSite: { name: '村' },
    settings: {
      current: () => ({ default_language }),
      picture: () => 'picture',
      isMembersOnly: () => membersOnly,
    },
    media: { url: (name: string, width: number) => `/media/${name}-${width}.webp` },
  }
  serveManifest(app, 'web/public', context as never, features)
  const { body } = await app.inject({ url: '/site.webmanifest', headers })
  return JSON.parse(body)
}

test('the manifest has the name of the community, and what browsers need to install the site', async () => {
  const manifest = await readManifest()
  expect(manifest).toMatchObject({
    id: '/',
    scope: '/',
    start_url: '/',
    display: 'standalone',
    name: '村',
    short_name: '村',
    lang: 'en',
    description: 'A place to sit, for people who know each other.',
    theme_color: '#e7ebe3',
    background_color: '#e7ebe3',
  })
  const purposes = manifest.icons.map(({ purpose }: { purpose: string }) => purpose)
  expect(purposes).toContain('maskable')
  expect(manifest.icons[0].src).toBe('/media/picture-192.webp')
})

test('the shortcuts are pages of the features, in their order, and none of a sample feature', async () => {
  const { shortcuts } = await readManifest()
  expect(shortcuts.map(({ name, url }: Record<string, string>) => [name, url])).toEqual([
    ['Parcels', '/parcels'],
    ['Letters', '/letters'],
  ])
})

test('the language is that of the community, or else that of the browser', async () => {
  expect((await readManifest({}, { 'accept-language': 'ja' })).lang).toBe('ja')
  const japanese = await readManifest({ default_language: 'ja' }, { 'accept-language': 'en' })
  expect(japanese).toMatchObject({ lang: 'ja', description: '知り合いどうしが、ひと息つける場所。' })
  expect(japanese.shortcuts[0].name).toBe('小包')
})

test('a members-only community tells no more than its name', async () => {
  const open = await readManifest()
  const closed = await readManifest({ membersOnly: true })
  expect(JSON.stringify(closed)).not.toContain('picture')
  expect({ ...closed, icons: [] }).toEqual({ ...open, icons: [] })
})
