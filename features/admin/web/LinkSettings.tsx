import { defineTexts, useText } from '#web/i18n.ts'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { CommunitySettingSwitch } from './CommunitySettingSwitch.tsx'
import type { CommunitySettingsSection } from './settings-section.ts'

export const communityLinkPreviewSettingsSection: CommunitySettingsSection = {
  id: 'links',
  title: { en: 'Links', ja: 'リンク' },
  Content: LinkSettings,
}

const linkSettingsText = defineTexts({
  en: {
    linkPreviews: 'Show previews of links',
    aboutLinkPreviews:
      'Your server visits the links that members write: the first one of each post, reply and message, also in private chats. The visited site sees the address of your server, not who wrote the link. The preview has the title and a description, but no picture. Authors can remove it. Off, the server visits no page and shows no previews.',
  },
  ja: {
    linkPreviews: 'リンクのプレビューを表示する',
    aboutLinkPreviews:
      'メンバーが書いたリンクのページを、サーバーが読みに行きます。対象は、投稿・返信・メッセージ（個人チャットも含む）の最初のリンクです。相手のサイトに伝わるのはこのサーバーのアドレスで、誰が書いたかは伝わりません。表示するのはタイトルと説明で、画像は表示しません。プレビューは書いた本人が削除できます。オフにすると、ページを読みに行かず、プレビューも表示しません。',
  },
})

function LinkSettings({ settings, fixed }: AdminCommunitySettingsResponse) {
  const t = useText(linkSettingsText)
  return (
    <CommunitySettingSwitch
      name="link_previews"
      saved={settings.link_previews}
      isFixed={fixed.includes('link_previews')}
      label={t.linkPreviews}
      help={t.aboutLinkPreviews}
    />
  )
}
