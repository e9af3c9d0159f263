import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import type { people } from './contract.ts'
import * as model from './model.ts'
import { endSession, openSession } from './sessions.ts'
import { checkAddress, checkLink, verificationMail } from './verification.ts'

const said = {
  registered: {
    en: 'Registration successful. Please check your email to verify your address.',
    ja: '登録しました。確認メールを送りましたので、リンクを開いてください。',
  },
  loginFailed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレスまたはパスワードが正しくありません。',
  },
  suspended: {
    en: 'This account is suspended. An admin can let you back in.',
    ja: 'このアカウントは停止されています。再開については管理者にお問い合わせください。',
  },
  verified: { en: 'Your email address has been verified.', ja: 'メールアドレスを確認しました。' },
  alreadyVerified: {
    en: 'Your email address is already verified.',
    ja: 'メールアドレスはすでに確認済みです。',
  },
  linkSent: {
    en: 'A new verification link has been sent to your email address.',
    ja: '確認メールを再送しました。',
  },
  profileSaved: { en: 'Profile updated successfully!', ja: 'プロフィールを更新しました。' },
  imageMissing: { en: 'The image field is required.', ja: '画像を選んでください。' },
}

export const routes: Handlers<typeof people> = {
  token: () => undefined,

  register: async ({ lang, input, session, ...context }) => {
    const { db, config, realtime } = context
    const before = session.token
    const { id, name, email, created_at } = await model.register(db, config, input, async (tx, account) => {
      await enqueueMail(tx, verificationMail(context, lang, account))
      await endSession(tx, before)
      await openSession(tx, account.id, session.renew())
    })
    realtime.revoke({ session: before })
    return { message: said.registered[lang], user: { id, name, email, created_at } }
  },

  logIn: async ({ db, realtime, input, session }) => {
    const account = await model.accountOf(db, input.email, input.password)
    if (account === undefined) throw fieldError('email', said.loginFailed)
    if (await model.isSuspended(db, account)) throw new HttpError(403, said.suspended)
    const before = session.token
    await transaction(db, async (tx) => {
      await endSession(tx, before)
      await openSession(tx, account, session.renew())
    })
    realtime.revoke({ session: before })
  },

  logOut: async ({ db, realtime, session }) => {
    const before = session.token
    await transaction(db, (tx) => endSession(tx, before))
    realtime.revoke({ session: before })
    session.renew()
  },

  me: ({ db, media, me }) => model.me(db, media, me.id),

  verify: async ({ lang, input, ...context }) => {
    checkLink(context, input)
    const id = Number(input.id)
    const { email } = await model.emailOf(context.db, id)
    checkAddress(email, input.hash)
    const first = await model.verifyEmail(context.db, id)
    return { message: (first ? said.verified : said.alreadyVerified)[lang] }
  },

  sendVerification: async ({ lang, me, input: _, ...context }) => {
    const account = await model.me(context.db, context.media, me.id)
    if (account.email_verified_at) return { message: said.alreadyVerified[lang] }
    await transaction(context.db, (tx) =>
      enqueueMail(tx, verificationMail(context as AppContext, lang, account)),
    )
    return { message: said.linkSent[lang] }
  },

  profile: ({ db, media, me }) => model.me(db, media, me.id),

  saveProfile: async ({ db, media, me, input, lang }) => {
    await model.saveProfile(db, me.id, input)
    return { message: said.profileSaved[lang], user: await model.me(db, media, me.id) }
  },

  saveProfileImage: async ({ db, media, me, files }) => {
    if (!files.length) throw fieldError('image', said.imageMissing)
    return media.store(files, model.avatarSizes, async ([picture]) => {
      const before = await model.saveImage(db, me.id, picture!)
      if (before && before !== picture!.name) await media.deleteUnreferenced([before])
      return { profile_image: model.avatarUrl(media, picture!.name)! }
    })
  },

  users: ({ db, media, input }) => model.users(db, media, input),
  followings: ({ db, me }) => model.followings(db, me.id),
  followedUsers: ({ db, media, me, input }) => model.followedUsers(db, media, me.id, input),

  follow: async ({ db, me, input }) => {
    await model.follow(db, me.id, input.id)
    return { status: 'followed' }
  },
  unfollow: async ({ db, realtime, me, input }) => {
    await model.unfollow(db, me.id, input.id)
    realtime.recheck(me.id)
    return { status: 'unfollowed' }
  },
}
