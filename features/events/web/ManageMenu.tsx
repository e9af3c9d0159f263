import { BellRing, CalendarX2, CircleCheckBig, Ellipsis, Lock, PenLine, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type EventDate, eventEndpoints, REMINDER_INTERVAL, type Scope } from '../contract.ts'
import type { DateProps } from './Answers.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { eventPageText } from './page-text.ts'
import { ScopeField } from './ScopeField.tsx'

type Open = 'change' | 'cancel' | 'restore' | 'close' | 'remind' | null

const DAY = 86_400_000

export function ManageMenu({ date, onChange, onMark }: DateProps & { onMark: () => void }) {
  const t = useText(eventPageText)
  const [open, setOpen] = useState<Open>(null)
  const isCancelled = date.cancelled_at !== null
  const isOver = Date.parse(date.ends_at) <= Date.now()
  const isNear = Date.parse(date.begins_at) - Date.now() < DAY
  const isReminded =
    date.reminded_at !== undefined && Date.parse(date.reminded_at) + REMINDER_INTERVAL > Date.now()
  return (
    <>
      <Menu
        label={t.menu}
        renderButton={(props) => <Button {...props} iconOnly icon={Ellipsis} label={t.menu} />}
      >
        {isNear && !isCancelled && (
          <MenuItemButton icon={UserCheck} onPress={onMark}>
            {t.attendance}
          </MenuItemButton>
        )}
        {!isOver && (
          <MenuItemButton icon={PenLine} onPress={() => setOpen('change')}>
            {t.change}
          </MenuItemButton>
        )}
        {!date.is_closed && !isCancelled && !isReminded && !date.group?.has_ended && (
          <MenuItemButton icon={BellRing} onPress={() => setOpen('remind')}>
            {t.remind}
          </MenuItemButton>
        )}
        {!date.is_closed && !isCancelled && (
          <MenuItemButton icon={Lock} onPress={() => setOpen('close')}>
            {t.close}
          </MenuItemButton>
        )}
        {!isOver && (
          <MenuItemButton
            icon={isCancelled ? CircleCheckBig : CalendarX2}
            onPress={() => setOpen(isCancelled ? 'restore' : 'cancel')}
          >
            {isCancelled ? t.restore : t.cancelEvent}
          </MenuItemButton>
        )}
      </Menu>
      <Dialogs date={date} onChange={onChange} open={open} onClose={() => setOpen(null)} />
    </>
  )
}

function Dialogs({ date, onChange, open, onClose }: DateProps & { open: Open; onClose: () => void }) {
  const t = useText(eventPageText)
  const { id } = date
  const [scope, setScope] = useState<Scope>('this')
  const save = (words: string) => (changed?: EventDate) => {
    if (changed) onChange(changed)
    showToast(words)
  }
  if (open === 'change') return <ChangeDialog date={date} onChange={save(t.saved)} onClose={onClose} />
  if (open === 'remind')
    return (
      <ConfirmDialog
        title={t.remindTitle}
        confirmLabel={t.doRemind}
        onConfirm={() => callEndpoint(eventEndpoints.remind, { id })}
        onDone={save(t.reminded)}
        onClose={onClose}
      >
        {t.remindHelp}
      </ConfirmDialog>
    )
  if (open === 'close')
    return (
      <ConfirmDialog
        title={t.closeTitle}
        confirmLabel={t.doClose}
        onConfirm={() => callEndpoint(eventEndpoints.close, { id })}
        onDone={save(t.saved)}
        onClose={onClose}
      >
        {t.closeHelp}
      </ConfirmDialog>
    )
  if (open === null) return null
  const isCancelling = open === 'cancel'
  return (
    <ConfirmDialog
      title={isCancelling ? t.cancelTitle : t.restoreTitle}
      confirmLabel={isCancelling ? t.doCancel : t.doRestore}
      onConfirm={() => callEndpoint(eventEndpoints[open], { id, scope })}
      onDone={save(t.saved)}
      onClose={onClose}
    >
      {isCancelling ? t.cancelHelp : t.restoreHelp}
      {date.rule && <ScopeField value={scope} onChange={setScope} />}
    </ConfirmDialog>
  )
}
