import { useEffect, useState } from 'react'
import type { EventDate } from '../contract.ts'
import { onDateChange, withShared } from './event-store.ts'

/** Live changes of what was loaded. */
export function useChanges() {
  const [changes, setChanges] = useState<ReadonlyMap<number, Parameters<typeof withShared>[1]>>(new Map())
  useEffect(() => onDateChange((date) => setChanges((now) => new Map(now).set(date.id, date))), [])
  return (date: EventDate) => {
    const change = changes.get(date.id)
    return change ? withShared(date, change) : date
  }
}
