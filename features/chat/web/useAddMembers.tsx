import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Person } from '#features/people/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { adminFiguresKey } from '#web/modules.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { groups } from '../contract.ts'

export interface NotAddedMember {
  person: Person
  error: unknown
}
export interface AddingMembers {
  group: { id: number; name: string }
  added: number
  /** The number of the person who is being added, and of how many; null once all were tried. */
  turn: { at: number; of: number } | null
  refused: readonly NotAddedMember[]
}

/** An error that every other person would meet too: no connection, no session, no right, no group. */
const stopsAll = (error: unknown) => [0, 401, 403, 404].some((status) => isHttpError(error, status))

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Adds one person. Waits and tries again for as long as the server answers 429. */
async function addPatiently(id: number, user_id: number): Promise<void> {
  try {
    await api(groups.addUser, { id, user_id })
  } catch (error) {
    if (!isHttpError(error, 429)) throw error
    await sleep((error as ApiError).retryAfter ?? 1)
    await addPatiently(id, user_id)
  }
}

/** Adds people to a new group, one at a time. */
export function useAddMembers() {
  const client = useQueryClient()
  const [adding, setAdding] = useState<AddingMembers | null>(null)

  const add = async (group: AddingMembers['group'], people: readonly Person[], before = 0) => {
    const refused: NotAddedMember[] = []
    let added = before
    for (const [i, person] of people.entries()) {
      setAdding({ group, added, turn: { at: i + 1, of: people.length }, refused: [] })
      const error = await addPatiently(group.id, person.id).then(
        () => null,
        (error: unknown) => error,
      )
      if (!error) added++
      else if (stopsAll(error)) {
        refused.push(...people.slice(i).map((person) => ({ person, error })))
        if (isHttpError(error, 401)) pleaseLogIn()
        break
      } else refused.push({ person, error })
    }
    forgetInitialAnswers()
    for (const queryKey of [[groups.all.path], [groups.mine.path], adminFiguresKey])
      client.invalidateQueries({ queryKey })
    setAdding({ group, added, turn: null, refused })
  }

  const busy = Boolean(adding?.turn)
  useEffect(() => {
    if (!busy) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [busy])

  return {
    adding,
    add,
    retry: () =>
      adding &&
      add(
        adding.group,
        adding.refused.map(({ person }) => person),
        adding.added,
      ),
    forget: () => setAdding(null),
  }
}
