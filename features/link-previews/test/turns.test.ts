import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { community } from '#features/reactions/test/reaction-scene.ts'
import { eventually } from '#tests/eventually.ts'
import { newPost } from '../../replies/test/reply-scene.ts'
import { htmlSite, startSites } from './sites.ts'

test('the slow pages of one member are visited two at a time, and those of others meanwhile', async () => {
  const sites = await startSites({ timeout: 60_000 })
  const held: ServerResponse[] = []
  for (let n = 0; n < 20; n++) sites.answer(`slow${n}.example/`, (response) => void held.push(response))
  sites.answer('well.example/', htmlSite('<title>Well</title>'))
  const { Admin, Ann, Ben } = await community('sqlite', { publicNetwork: sites.network })
  expect((await Admin.send('PATCH', '/api/admin/settings', { link_previews: true })).status).toBe(200)
  for (let n = 0; n < 20; n++) await newPost(Ann, { text: `http://slow${n}.example/` })
  await eventually(() => expect(sites.requests).toHaveLength(2))
  const id = await newPost(Ben, { text: 'http://well.example/' })
  await eventually(async () => {
    const { body } = await Ben.get(`/api/link-previews?posts=${id}`)
    expect(body.posts[id]).toMatchObject({ title: 'Well' })
  })
  expect(
    sites.requests.filter(({ url }) => url.startsWith('slow')),
    'none has ended',
  ).toHaveLength(2)
  held[0]!.end()
  await eventually(() => expect(sites.requests.filter(({ url }) => url.startsWith('slow'))).toHaveLength(3))
  for (const response of held) response.destroy()
})
