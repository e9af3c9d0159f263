import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import {
  type ConversationMuteDuration,
  conversationMuteAndUnreadEndpoints,
  conversationMuteDurationChoices,
} from '../conversation-mute-contract.ts'
import { type ChatPartnerOrGroupRef, setLocalConversationMute } from './chat-state.ts'
import { conversationMuteDialogText } from './conversation-mute-text.ts'

const endpoints = {
  private: {
    mute: conversationMuteAndUnreadEndpoints.mutePrivate,
    unmute: conversationMuteAndUnreadEndpoints.unmutePrivate,
  },
  groups: {
    mute: conversationMuteAndUnreadEndpoints.muteGroup,
    unmute: conversationMuteAndUnreadEndpoints.unmuteGroup,
  },
}

interface ConversationMuteDialogProps {
  conversation: ChatPartnerOrGroupRef
  isMuted: boolean
  onClose: () => void
}

/** Renders the dialog in which a member mutes a conversation for a time, or ends the mute. */
export default function ConversationMuteDialog(props: ConversationMuteDialogProps) {
  const { conversation, isMuted, onClose } = props
  const t = useText(conversationMuteDialogText)
  const explain = useErrorFormatter()
  const [chosen, setChosen] = useState<ConversationMuteDuration>('hour')
  const { kind, id } = conversation
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      return isMuted
        ? callEndpoint(endpoints[kind].unmute, { id })
        : callEndpoint(endpoints[kind].mute, { id, for: chosen, time_zone })
    },
    onSuccess: ({ muted_until }) => {
      setLocalConversationMute(conversation, muted_until)
      onClose()
      // Decides by the response and not by `isMuted`, which the live event may have changed before the
      // response arrived.
      showToast(muted_until === null ? t.unmuted : t.muted)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog open title={isMuted ? t.unmuteTitle : t.muteTitle} onClose={onClose} className="confirm">
      <form onSubmit={submit}>
        <p>{isMuted ? t.unmuteHelp : t.muteHelp}</p>
        {!isMuted && (
          <RadioGroup
            label={t.howLong}
            choices={conversationMuteDurationChoices.map((value) => ({ value, label: t.choices[value] }))}
            inputProps={(value) => ({
              checked: chosen === value,
              onChange: () => setChosen(value),
            })}
          />
        )}
        {error && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {isMuted ? t.unmute : t.mute}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
