import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import type { AppContext } from '#core/context.ts'
import type { Media } from '#core/media/media.ts'
import { cast, follows, type Person, password } from '#demo/cast.ts'
import { converse, type Show } from '#demo/converse.ts'
import { face, picture } from '#demo/pictures.ts'
import { type DemoPost, posts } from '#demo/posts.ts'
import { avatarSizes, follow, register, saveImage, saveProfile, verifyEmail } from '#features/people/model.ts'
import { postImageSizes } from '#features/posts/images.ts'
import { create, like } from '#features/posts/model.ts'

/** Lets the cast move in, with all that they have said so far, unless somebody lives here already. */
export async function fill(context: AppContext) {
  if (await context.db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  const people: number[] = []
  for (const person of cast) people.push(await moveIn(context, person))
  for (const [follower, followed] of follows) await follow(context.db, people[follower]!, people[followed]!)
  const limit = pLimit(2)
  // Pictures are drawn ahead, while those before them are being stored.
  const oldestFirst = posts
    .toSorted((a, b) => b.minutesAgo - a.minutesAgo)
    .map((post) => ({
      post,
      drawn: post.pictures.map(({ scene, seed }) => limit(() => picture(scene, seed))),
    }))
  for (const { post, drawn } of oldestFirst) await publish(context, post, await Promise.all(drawn), people)
  await converse(context, people, showing(context))
}

async function moveIn({ db, config, media }: AppContext, { name, email, bio, face: looks }: Person) {
  const { id } = await register(db, config, { name, email, password }, async () => {})
  await verifyEmail(db, id)
  await saveProfile(db, id, { name, bio })
  if (looks) {
    const upload = await media.receive('image', 'face.jpg', Readable.from([await face(looks)]))
    await media.store([upload], avatarSizes, ([made]) => saveImage(db, id, made!))
    await media.discard([upload])
  }
  return id
}

async function publish(
  { db, media }: AppContext,
  { by, minutesAgo, text, pictures, likes }: DemoPost,
  drawn: readonly Buffer[],
  people: readonly number[],
) {
  const uploads = await received(media, drawn)
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const alt = pictures.map((shot) => shot.alt)
  const id = await media.store(uploads, postImageSizes, (made) =>
    create(db, people[by]!, { body: text, pictures: made, alt }, at),
  )
  await media.discard(uploads)
  for (const liker of likes) await like(db, people[liker]!, id)
}

const showing =
  ({ media }: AppContext): Show =>
  async (shots, work) => {
    const uploads = await received(
      media,
      await Promise.all(shots.map(({ scene, seed }) => picture(scene, seed))),
    )
    const done = await media.store(uploads, postImageSizes, work)
    await media.discard(uploads)
    return done
  }

async function received(media: Media, drawn: readonly Buffer[]) {
  const uploads = []
  for (const bytes of drawn)
    uploads.push(await media.receive('images', 'picture.jpg', Readable.from([bytes])))
  return uploads
}
