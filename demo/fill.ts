import { type AppContext, asMember } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { cast, follows, type Person, password } from '#demo/cast.ts'
import { groupChats, privateChats } from '#demo/chats.ts'
import { createConversations } from '#demo/conversations.ts'
import { nameOfFace, nameOfPicture } from '#demo/pictures.ts'
import { type DemoPost, posts } from '#demo/posts.ts'
import { type PictureUpload, type StoredPictures, withPictures } from '#demo/stored-pictures.ts'
import { createAccount, follow, saveImage, saveProfile, verifyEmail } from '#features/people/model.ts'
import { hashPassword } from '#features/people/passwords.ts'
import { avatarSizes } from '#features/people/read.ts'
import { postImageSizes } from '#features/posts/images.ts'
import { create, like } from '#features/posts/model.ts'

/**
 * Fills a database that has no accounts with the demo community: members, posts and chats. Writes all rows in
 * one transaction: an interrupted start leaves none of them, and SQLite syncs to disk once instead of 2,000
 * times.
 */
export async function fill(app: AppContext) {
  const { db, media } = app
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  // All members have one password, so that it is hashed once.
  const password_hash = await hashPassword(password, '')
  await withPictures(media, uploads(), (pictures) =>
    transaction(db, async (tx) => {
      const context = { ...app, db: tx }
      const ids: number[] = []
      for (const person of cast) {
        const { id } = await createAccount(context, tx, {
          ...person,
          password_hash,
          isLocal: true,
          setup_code: null,
        })
        await completeProfile(context, id, person, pictures)
        ids.push(id)
      }
      for (const [follower, followed] of follows)
        await follow(asMember(context, ids[follower]!), ids[followed]!)
      const oldestFirst = posts.toSorted((a, b) => b.minutesAgo - a.minutesAgo)
      for (const post of oldestFirst) await createPost(context, post, ids, pictures)
      await createConversations(context, ids, pictures)
    }),
  )
}

function uploads(): PictureUpload[] {
  const messages = [...privateChats, ...groupChats].flatMap((chat) => chat.messages)
  const faces = cast.flatMap((person) =>
    person.face ? [{ owner: person, files: [nameOfFace(person.face)], sizes: avatarSizes }] : [],
  )
  const pictures = [...posts, ...messages]
    .filter((owner) => owner.pictures.length > 0)
    .map((owner) => ({ owner, files: owner.pictures.map(nameOfPicture), sizes: postImageSizes }))
  return [...faces, ...pictures]
}

async function completeProfile(context: AppContext, id: number, person: Person, pictures: StoredPictures) {
  await verifyEmail(context, id)
  await saveProfile(asMember(context, id), person)
  const [face] = pictures.get(person) ?? []
  if (face) await saveImage(asMember(context, id), face)
}

async function createPost(
  context: AppContext,
  post: DemoPost,
  ids: readonly number[],
  stored: StoredPictures,
) {
  const { by, minutesAgo, text, likes } = post
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const pictures = stored.get(post) ?? []
  const alt = post.pictures.map((picture) => picture.alt)
  const id = await create(asMember(context, ids[by]!), { body: text, pictures, alt }, at)
  for (const liker of likes) await like(asMember(context, ids[liker]!), id)
}
