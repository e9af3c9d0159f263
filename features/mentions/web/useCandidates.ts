import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { foldNameForSearch, foldReading } from '#core/text/fold-names.ts'
import { foldCaseAndWidth } from '#core/text/unicode.ts'
import { callEndpoint } from '#web/api.ts'
import { type Candidate, mentionEndpoints } from '../contract.ts'

/** Milliseconds without a change of the word before a search. */
const SEARCH_DELAY = 120

/**
 * Best first. `isKnown` is false while the server has not answered for this word: `people` is then filtered
 * from an earlier answer for its beginning. `scope` is the value of `data-mentions`.
 */
export function useCandidates(scope: string, word: string | undefined) {
  const asked = useDelayed(word)
  const {
    data = [],
    isSuccess,
    isPlaceholderData,
  } = useQuery({
    queryKey: [mentionEndpoints.candidates.path, scope, asked],
    queryFn: ({ signal }) => {
      const parameters = Object.fromEntries(new URLSearchParams(scope))
      return callEndpoint(mentionEndpoints.candidates, { q: asked, ...parameters }, { signal })
    },
    enabled: asked !== undefined,
    // Only an answer for the same `scope` and the beginning of the word; any other may lack people who match.
    placeholderData: (last, query) =>
      query?.queryKey[1] === scope && asked?.startsWith(`${query.queryKey[2]}`) ? last : undefined,
  })
  if (word === undefined || asked === undefined || !word.startsWith(asked))
    return { people: [], isKnown: false }
  const isKnown = isSuccess && !isPlaceholderData && asked === word
  return { people: isKnown ? data : data.filter((person) => isMatch(person, word)), isKnown }
}

/** Undefined comes without a delay. */
function useDelayed(value: string | undefined) {
  const [delayed, setDelayed] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(setDelayed, SEARCH_DELAY, value)
    return () => clearTimeout(timer)
  }, [value])
  return value === undefined ? undefined : delayed
}

const isMatch = ({ name, reading = '', handle }: Candidate, word: string) =>
  foldNameForSearch(name).includes(foldNameForSearch(word)) ||
  foldReading(reading).includes(foldReading(word) || word) ||
  handle.startsWith(foldCaseAndWidth(word))
