import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { muteEndpoints, type Person } from '../contract.ts'
import { blockText } from './block-text.ts'

interface Props {
  person: Pick<Person, 'id' | 'name'>
  /** If so, the dialog ends the mute. */
  isMuted: boolean
  onClose: () => void
}

/**
 * Then opens the list of muted people (or this page again) with a full page load, because lists in this
 * window may still contain words of the person.
 */
export default function MuteDialog({ person: { id, name }, isMuted, onClose }: Props) {
  const t = useText(blockText)
  return (
    <ConfirmDialog
      title={isMuted ? t.unmuteTitle(name) : t.muteTitle(name)}
      confirmLabel={isMuted ? t.unmuteConfirm : t.muteConfirm}
      onConfirm={async () => {
        await (isMuted
          ? callEndpoint(muteEndpoints.unmute, { id })
          : callEndpoint(muteEndpoints.mute, { id }))
      }}
      onDone={() => (isMuted ? location.reload() : location.assign('/account#muted'))}
      onClose={onClose}
    >
      {isMuted ? t.unmuteHelp : t.muteHelp}
    </ConfirmDialog>
  )
}
