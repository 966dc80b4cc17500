// Every draft lists columns with personal data, so that admins can mask or remove them before granting the lens.
const PERSON_WORD_PATTERN =
  /\b(?:person|people|customer|client|user|member|employee|staff|worker|driver|owner|patient|student|pupil|teacher|author|contact|guest|passenger|vet|doctor|physician|nurse|agent|manager|player|actor|subscriber|citizen|applicant|candidate|tenant|buyer|seller|donor|volunteer|instructor|professor|lecturer|resident|voter|visitor|attendee|participant|friend|parent|guardian|child|rep|representative|clerk|technician|pilot|lawyer|judge|trainer|coach|artist|musician|borrower|operator|investigator|recipient|beneficiary|salesperson|supervisor|officer|individual|holder|learner|sailor|rider|renter|therapist|consultant)$/;
const PERSON_NAME_PATTERN =
  /^(?:(?:first|last|middle|full|given|family|maiden|nick|user|legal|preferred|display) ?name|surname|forename|nickname|username|fname|lname|initials)$/;
const PERSONAL_FIELD_NAME_PATTERN =
  /\b(?:birth|dob|birthday|birthdate|born|e ?mail|phone|telephone|mobile|cell|fax|street|address\d*|addr|salary|wage|wages|pay rate|hourly rate|monthly pay|payroll|bonus amount|income|compensation|nationality|ethnicity|race|religion|marital|disability|diagnosis|allergy|blood|criminal|national id|national insurance|identity|passport|licence number|license number|driver licence|driver license|ssn|social security|tax id|iban|bank account|ip address|gender|sex)\b/;
/** Words in the names of columns without personal data, such as "emails sent" and "email template". */
const NON_PERSONAL_WORD_PATTERN =
  /\b(?:count|sent|opened|clicked|rate limit|type|template|subject|verified|confirmed)\b/;

/** `words` is the column's name in words. `rowNoun` names a row of its table. */
export function isPersonalData(words: string, rowNoun: string): boolean {
  if (NON_PERSONAL_WORD_PATTERN.test(words)) return false;
  if (PERSONAL_FIELD_NAME_PATTERN.test(words) || PERSON_NAME_PATTERN.test(words))
    return !(/^(?:address\d*|street|phone|telephone|fax)\b/.test(words) && PLACE_WORD_PATTERN.test(rowNoun));
  const [, ownerNoun] = /^(?:(.+) )?name$/.exec(words) ?? [];
  return ownerNoun !== undefined
    ? PERSON_WORD_PATTERN.test(ownerNoun)
    : words === 'name' && PERSON_WORD_PATTERN.test(rowNoun);
}
const PLACE_WORD_PATTERN =
  /\b(?:store|shop|branch|hub|warehouse|building|site|hotel|restaurant|airport|station|office|venue|library|school|hospital|bank|location)$/;
