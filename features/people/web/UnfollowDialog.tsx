import { san } from '#core/text/honorific.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

const unfollowText = defineTexts({
  en: {
    title: (name: string) => `Unfollow ${name}?`,
    help: 'Their posts leave your list of followed people. You can follow them again at any time.',
    confirm: 'Unfollow',
  },
  ja: {
    title: (name: string) => `${san(name)}のフォローをやめますか？`,
    help: 'フォロー中の投稿一覧に、この人の投稿が表示されなくなります。いつでもまたフォローできます。',
    confirm: 'フォローをやめる',
  },
})

interface Props {
  name: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

export default function UnfollowDialog({ name, onConfirm, onClose }: Props) {
  const t = useText(unfollowText)
  return (
    <ConfirmDialog title={t.title(name)} confirmLabel={t.confirm} onConfirm={onConfirm} onClose={onClose}>
      {t.help}
    </ConfirmDialog>
  )
}
