import { expect } from 'vitest'
import type { TestApp, TestClient } from '#tests/harness.ts'
import { formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/** An id that no row has. It has six digits, so that a test does not find it in a response by chance. */
export const SIX_DIGIT_ID = 987_654

/** Sets who can read the community, by the API request that an admin sends. */
export async function setWhoCanRead(admin: TestClient, who_can_read: 'everyone' | 'members') {
  const { status, body } = await admin.send('PATCH', '/api/admin/settings', { who_can_read })
  expect(status, JSON.stringify(body)).toBe(200)
}

const expectSuccess = async (asked: Promise<{ status: number; body: { [field: string]: never } }>) => {
  const { status, body } = await asked
  expect([200, 201, 204], JSON.stringify(body)).toContain(status)
  return body as { [field: string]: never } & { post: { id: number }; group: { id: number } }
}

/**
 * Fills a community with texts and pictures that a test can recognise in any response. Returns these texts
 * and pictures, the HTTP clients of the admin and the member, and the ids of the post and of the group.
 */
export async function seedCommunity(app: TestApp) {
  const { Quillfeather: admin, Brandywine: member } = await app.members('Quillfeather', 'Brandywine')
  const picture = uploadFile(await fourColours(1400, 700).png().toBuffer(), 'zucchini.png')
  await expectSuccess(admin.post('/api/profile', { name: 'Quillfeather', bio: 'Bio: xylophone' }))
  await expectSuccess(admin.post('/api/profile-image', formData({}, { image: [picture] })))
  const fields = { text: 'Post: marmalade', 'alt[]': 'Alt: zeppelin' }
  const { post } = await expectSuccess(admin.post('/api/posts', formData(fields, { 'images[]': [picture] })))
  await expectSuccess(member.post(`/api/follow/${admin.id}`))
  await expectSuccess(member.put(`/api/posts/${post.id}/like`))
  await expectSuccess(member.post(`/api/posts/${post.id}/replies`, { text: 'Reply: rhubarb' }))
  const message = { input: 'Message: pumpernickel', targetUserId: admin.id }
  await expectSuccess(member.post('/api/send-private-message', message))
  const { group } = await expectSuccess(admin.post('/api/groups', { name: 'Group: kaleidoscope' }))
  await expectSuccess(admin.post(`/api/groups/${group.id}/add-user`, { user_id: member.id }))
  const groupMessage = { group_id: group.id, message: 'Group message: thunderstorm' }
  await expectSuccess(member.post('/api/group-messages/send', groupMessage))
  const product = (await admin.get('/api/products/1')).body.product as { name: string }
  const pictures = await app.mediaFiles()
  return {
    admin,
    member,
    post: post.id,
    group: group.id,
    /** The names of the stored files of all pictures in all their sizes. */
    pictures,
    /**
     * Texts of the community and names of its pictures, in lower case. A response to a stranger must contain
     * none of them.
     */
    texts: [
      ...['quillfeather', 'brandywine', 'xylophone', 'marmalade', 'zeppelin', 'pumpernickel', 'kaleidoscope'],
      ...['thunderstorm', 'rhubarb', 'zucchini', product.name.toLowerCase()],
      ...new Set(pictures.map((name) => name.slice(0, 40))),
    ],
  }
}
