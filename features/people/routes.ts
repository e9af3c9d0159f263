import type { Handlers, House } from '#core/http.ts'
import { post } from '#core/mail.ts'
import { Refuse, wrongField } from '#core/words.ts'
import type { people } from './contract.ts'
import * as model from './model.ts'
import { endSession, openSession } from './sessions.ts'
import { checkAddress, checkLink, verificationLetter } from './verification.ts'

const said = {
  registered: {
    en: 'Registration successful. Please check your email to verify your address.',
    ja: '登録しました。確認メールを送りましたので、リンクを開いてください。',
  },
  loginFailed: { en: 'These credentials do not match our records.', ja: 'メールアドレスまたはパスワードが正しくありません。' },
  suspended: {
    en: 'This account is suspended. An admin can let you back in.',
    ja: 'このアカウントは停止されています。再開については管理者にお問い合わせください。',
  },
  verified: { en: 'Your email address has been verified.', ja: 'メールアドレスを確認しました。' },
  alreadyVerified: { en: 'Your email address is already verified.', ja: 'メールアドレスはすでに確認済みです。' },
  linkSent: { en: 'A new verification link has been sent to your email address.', ja: '確認メールを再送しました。' },
  profileSaved: { en: 'Profile updated successfully!', ja: 'プロフィールを更新しました。' },
  imageMissing: { en: 'The image field is required.', ja: '画像を選んでください。' },
}

export const routes: Handlers<typeof people> = {
  token: () => undefined,

  register: async ({ lang, input, session, ...house }) => {
    const { db, config, mail, live } = house
    const before = session.token
    const { id, name, email, created_at } = await model.register(db, config, input, async (tx, account) => {
      await post(tx, verificationLetter(house, lang, account))
      await endSession(tx, before)
      await openSession(tx, account.id, session.renew())
    })
    live.revoke({ session: before })
    mail.wake()
    return { message: said.registered[lang], user: { id, name, email, created_at } }
  },

  logIn: async ({ db, live, input, session }) => {
    const account = await model.accountOf(db, input.email, input.password)
    if (account === undefined) throw wrongField('email', said.loginFailed)
    if (await model.isSuspended(db, account)) throw new Refuse(403, said.suspended)
    const before = session.token
    await endSession(db, before)
    live.revoke({ session: before })
    await openSession(db, account, session.renew())
  },

  logOut: async ({ db, live, session }) => {
    const before = session.token
    await endSession(db, before)
    live.revoke({ session: before })
    session.renew()
  },

  me: ({ db, media, me }) => model.me(db, media, me.id),

  verify: async ({ lang, input, ...house }) => {
    checkLink(house, input)
    const id = Number(input.id)
    const { email } = await model.emailOf(house.db, id)
    checkAddress(email, input.hash)
    const first = await model.verifyEmail(house.db, id)
    return { message: (first ? said.verified : said.alreadyVerified)[lang] }
  },

  sendVerification: async ({ lang, me, input: _, ...house }) => {
    const account = await model.me(house.db, house.media, me.id)
    if (account.email_verified_at) return { message: said.alreadyVerified[lang] }
    await post(house.db, verificationLetter(house as House, lang, account))
    house.mail.wake()
    return { message: said.linkSent[lang] }
  },

  profile: ({ db, media, me }) => model.me(db, media, me.id),

  saveProfile: async ({ db, media, me, input, lang }) => {
    await model.saveProfile(db, me.id, input)
    return { message: said.profileSaved[lang], user: await model.me(db, media, me.id) }
  },

  saveProfileImage: async ({ db, media, me, files }) => {
    if (!files.length) throw wrongField('image', said.imageMissing)
    return media.keep(files, model.faceShape, async ([picture]) => {
      const before = await model.saveImage(db, me.id, picture!)
      if (before && before !== picture!.name) await media.release([before])
      return { profile_image: model.faceUrl(media, picture!.name)! }
    })
  },

  users: ({ db, media, input }) => model.users(db, media, input),
  followings: ({ db, me }) => model.followings(db, me.id),
  followedUsers: ({ db, media, me, input }) => model.followedUsers(db, media, me.id, input),

  follow: async ({ db, me, input }) => {
    await model.follow(db, me.id, input.id)
    return { status: 'followed' }
  },
  unfollow: async ({ db, live, me, input }) => {
    await model.unfollow(db, me.id, input.id)
    live.recheck(me.id)
    return { status: 'unfollowed' }
  },
}
