import { BellRing, Ellipsis, Lock, Megaphone, UserRoundX, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { Dot, useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Poll, pollEndpoints, REMINDER_INTERVAL } from '../contract.ts'
import type { PollOfContent, PollProps } from './poll-props.ts'
import { useAnnouncing, useMayRemind } from './result.ts'
import { pollText } from './text.ts'
import { usePollChange } from './usePollChange.ts'

const VotersDialog = lazyWithRetry(() => import('./VotersDialog.tsx'))

type OpenDialog = 'voters' | 'missing' | 'remind' | 'end' | null

type FooterProps = PollOfContent & { isMember: boolean }

export function PollFooter({ poll, content, onChange, isOpen, isMember }: FooterProps) {
  const t = useText(pollText)
  const me = useMe()
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const close = () => setDialog(null)
  const isOwn = me !== null && poll.user_id === me.id
  const announce = useAnnouncing(poll, content, me?.id)
  const [reminded, setReminded] = useState(poll.reminded_at)
  const isReminded = reminded !== undefined && Date.parse(reminded) + REMINDER_INTERVAL > Date.now()
  const mayRemind = useMayRemind(content) && isOwn && isOpen && !isReminded
  const hasVoters =
    isMember && poll.ballot === 'named' && poll.guests_count !== null && poll.voters_count !== 0
  return (
    <div className="poll-footer">
      <p className="text-meta">
        <Summary poll={poll} />
      </p>
      {(hasVoters || (isOwn && (poll.ballot === 'named' || isOpen || announce))) && (
        <Menu
          label={t.more}
          renderButton={(props) => <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.more} />}
        >
          {hasVoters && (
            <MenuItemButton icon={Users} onPress={() => setDialog('voters')}>
              {poll.kind === 'choice' ? t.whoVoted : t.whoAnswered}
            </MenuItemButton>
          )}
          {isOwn && poll.ballot === 'named' && (
            <MenuItemButton icon={UserRoundX} onPress={() => setDialog('missing')}>
              {t.missing}
            </MenuItemButton>
          )}
          {mayRemind && (
            <MenuItemButton icon={BellRing} onPress={() => setDialog('remind')}>
              {t.remind}
            </MenuItemButton>
          )}
          {announce && (
            <MenuItemButton icon={Megaphone} onPress={announce}>
              {t.announce}
            </MenuItemButton>
          )}
          {isOwn && isOpen && (
            <MenuItemButton icon={Lock} onPress={() => setDialog('end')}>
              {t.end}
            </MenuItemButton>
          )}
        </Menu>
      )}
      {(dialog === 'voters' || dialog === 'missing') && (
        <Suspense>
          <VotersDialog
            poll={poll}
            list={dialog}
            reminded={reminded}
            onRemind={mayRemind ? () => setDialog('remind') : undefined}
            onClose={close}
          />
        </Suspense>
      )}
      {dialog === 'remind' && (
        <ConfirmDialog
          title={t.remindAsk}
          confirmLabel={t.remind}
          onConfirm={async () => {
            const { reminded_at } = await callEndpoint(pollEndpoints.remind, { id: poll.id })
            setReminded(reminded_at)
          }}
          onDone={() => showToast(t.reminded)}
          onClose={close}
        >
          {t.remindHelp}
        </ConfirmDialog>
      )}
      {dialog === 'end' && <EndDialog poll={poll} onChange={onChange} onClose={close} />}
    </div>
  )
}

/** What is known of the results, until when one can vote, and who will see what. */
function Summary({ poll }: { poll: Poll }) {
  const t = useText(pollText)
  const lang = useLang()
  const { kind, choices, ballot, voters_count, guests_count, ends_at, ended_at } = poll
  const counted = kind === 'choice' ? t.votes : t.answers
  const isHidden = guests_count === null && ended_at === null
  const parts = [
    ...(voters_count === null ? [] : [counted(voters_count)]),
    ...(guests_count ? [t.guests(guests_count)] : []),
    ...(ended_at !== null ? [t.ended] : ends_at ? [t.until(dates.dayAndClock(ends_at, lang))] : []),
  ]
  const notes = [
    ...(kind === 'choice' && choices === 'several' && ended_at === null ? [t.several] : []),
    ...(ballot === 'secret' ? [t.secret] : []),
    ...(isHidden ? [hiddenReason(poll, t)] : []),
  ]
  return (
    <>
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && <Dot />}
          {part}
        </span>
      ))}
      {notes.length > 0 && <span className="notes">{notes.join(' ')}</span>}
    </>
  )
}

const hiddenReason = ({ ballot, results }: Poll, t: (typeof pollText)['en']) =>
  ballot === 'secret' ? t.secretSoon : results === 'end' ? t.atEnd : t.afterVote

function EndDialog({ poll, onChange, onClose }: Omit<PollProps, 'isOpen'> & { onClose: () => void }) {
  const t = useText(pollText)
  const { change, isPending } = usePollChange({ poll, onChange })
  const end = async () => {
    if (await change(() => callEndpoint(pollEndpoints.end, { id: poll.id }))) onClose()
  }
  return (
    <Dialog open title={t.endTitle} onClose={onClose}>
      <p>{t.endHelp}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button kind="primary" pending={isPending} onClick={end}>
          {t.end}
        </Button>
      </div>
    </Dialog>
  )
}
