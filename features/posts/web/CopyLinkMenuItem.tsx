import { Link2, Share2 } from 'lucide-react'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { canShare, share } from '#web/share.ts'
import { MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { postMenuText } from './menu-text.ts'

/** And the share sheet, where there is one. `path` begins with `/`. */
export function CopyLinkMenuItem({ path }: { path: string }) {
  const t = useText(postMenuText)
  const url = new URL(path, location.origin).href
  const copy = () =>
    copyText(url).then(
      () => showToast(t.copied, { key: 'link' }),
      () => showToast(t.notCopied, { key: 'link', kind: 'error' }),
    )
  return (
    <>
      {canShare && (
        <MenuItemButton icon={Share2} onPress={() => void share({ url }).catch(copy)}>
          {t.share}
        </MenuItemButton>
      )}
      <MenuItemButton icon={Link2} onPress={copy}>
        {t.copyLink}
      </MenuItemButton>
    </>
  )
}
