import { Megaphone } from 'lucide-react'
import type { ComposerExtra } from '#web/composer-extras.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { useMayTell } from './may-tell.ts'

const text = defineTexts({
  en: { help: 'Everybody who may see the post is notified.' },
  ja: { help: 'この投稿を見られる人みんなに、通知が届きます。' },
})

export default {
  name: 'tell',
  label: { en: 'Tell everybody', ja: 'みんなにお知らせ' },
  icon: Megaphone,
  initial: {},
  useIsOffered: useMayTell,
  Editor: () => <p className="text-meta">{useText(text).help}</p>,
} satisfies ComposerExtra<Record<string, never>>
