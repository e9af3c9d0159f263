import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import { enqueue } from '#core/jobs/jobs.ts'
import type { people, setup } from './contract.ts'
import { withDevice } from './devices.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { noteSecurityEvent } from './security-log.ts'
import { endSession, openSession } from './sessions.ts'
import { setupState } from './setup.ts'
import { checkAddress, checkLink, verificationMail } from './verification.ts'

const messages = {
  registered: {
    en: 'Registration successful. Please check your email to verify your address.',
    ja: '登録しました。確認メールを送りましたので、リンクを開いてください。',
  },
  /** Without SMTP_URL mails are files that only the operator can read. */
  registeredWithoutMail: {
    en: 'Registration successful. An admin can give you the link that verifies your address.',
    ja: '登録しました。メールアドレスを確認するためのリンクは、管理者から受け取れます。',
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
  linkNotSent: {
    en: 'This site sends no mail. An admin can give you the link that verifies your address.',
    ja: 'このサイトはメールを送信しません。メールアドレスを確認するためのリンクは、管理者から受け取れます。',
  },
  profileSaved: { en: 'Profile updated successfully!', ja: 'プロフィールを更新しました。' },
  imageMissing: { en: 'The image field is required.', ja: '画像を選んでください。' },
}

export const setupRoutes: Handlers<typeof setup> = {
  state: async (context) => ({ state: await setupState(context, context.input.code) }),
}

export const routes: Omit<Handlers<typeof people>, 'logIn' | 'me'> = {
  token: ({ session }) => {
    session.sendCookies()
    return undefined
  },

  register: async (context) => {
    const { input, session, lang, realtime, client, config } = context
    const before = session.token
    const { id, name, email, created_at } = await model.register(
      context,
      { ...input, ...client, isLocal: client.isLocal() },
      async (tx, account) => {
        await enqueue(tx, 'mail', verificationMail(context, lang, account))
        await endSession(tx, realtime, before)
        await openSession(tx, account.id, session.renew())
        await noteSecurityEvent(tx, account.id, 'registered', { network: client.network })
      },
    )
    session.setDevices(withDevice(config, session.devices, id))
    const message = config.SMTP_URL ? messages.registered : messages.registeredWithoutMail
    return { message: message[lang], user: { id, name, email, created_at } }
  },

  logOut: async ({ db, realtime, session }) => {
    const before = session.token
    await transaction(db, (tx) => endSession(tx, realtime, before))
    session.renew()
  },

  verify: async (context) => {
    const { db, input, lang } = context
    checkLink(context, input)
    const id = Number(input.id)
    const { email } = await read.emailOf(db, id)
    checkAddress(email, input.hash)
    const isFirst = await model.verifyEmail(context, id)
    return { message: (isFirst ? messages.verified : messages.alreadyVerified)[lang] }
  },

  sendVerification: async (context) => {
    const { db, lang, config } = context
    const account = await read.me(context)
    if (account.email_verified_at) return { message: messages.alreadyVerified[lang] }
    await transaction(db, (tx) => enqueue(tx, 'mail', verificationMail(context, lang, account)))
    return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
  },

  profile: (context) => read.me(context),

  saveProfile: async (context) => {
    await model.saveProfile(context, context.input)
    return { message: messages.profileSaved[context.lang], user: await read.me(context) }
  },

  saveProfileImage: async (context) => {
    const { media, files } = context
    if (!files.length) throw fieldError('image', messages.imageMissing)
    return media.store(files, read.avatarSizes, async ([picture]) => {
      const before = await model.saveImage(context, picture!)
      if (before && before !== picture!.name) await media.deleteUnreferenced([before])
      return { profile_image: read.avatarUrl(media, picture!.name)! }
    })
  },

  users: (context) => read.users(context, context.input),
  followings: (context) => read.followings(context),
  followedUsers: (context) => read.followedUsers(context, context.input),

  followers: (context) => read.followsOf(context, 'followed_id', context.input),
  following: (context) => read.followsOf(context, 'follower_id', context.input),

  follow: async (context) => {
    await model.follow(context, context.input.id)
    return { status: 'followed' }
  },
  unfollow: async (context) => {
    await model.unfollow(context, context.input.id)
    return { status: 'unfollowed' }
  },
}
