// A school: every table has id, name, code and status, references lack "_id", owners are of several kinds, and ranges
// of numbers overlap by accident. Nothing is declared.
import { day, moment, pickNth, type Schema, times } from './schema.ts';

const STATUS = ['open', 'closed', 'new'];

export const SCHOOL: Schema = {
  name: 'school',
  tables: {
    students: {
      columns: 'id int, name text, code text, status text, email text, date_of_birth date, created_at ts',
      rows: times(30, (n) => [
        ...[
          n,
          `Pupil ${n}`,
          `C${n}`,
          pickNth(STATUS, n),
          `p${n}@school.test`,
          `20${String(10 + (n % 5))}-03-1${n % 9}`,
          moment(1),
        ],
      ]),
    },
    teachers: {
      columns: 'id int, name text, code text, status text, supervisor int',
      rows: times(8, (n) => [n, `Teacher ${n}`, `C${n}`, pickNth(STATUS, n), n === 1 ? null : 1 + (n % 2)]),
    },
    courses: {
      columns: 'id int, name text, code text, status text, teacher int, credits int, level int',
      rows: times(12, (n) => [n, `Course ${n}`, `C${n}`, pickNth(STATUS, n), 1 + (n % 8), 2 + (n % 3), 1 + (n % 3)]),
    },
    rooms: {
      columns: 'id int, name text, code text, seats int',
      rows: times(6, (n) => [n, `Room ${n}`, `C${n}`, 20 + n]),
    },
    enrolments: {
      columns: 'id int, student int, course int, status text, final_score dec, enrolled_on date',
      rows: times(70, (n) => [n, 1 + (n % 30), 1 + (n % 12), pickNth(STATUS, n), 50 + (n % 50), day(n)]),
    },
    lessons: {
      columns: 'id int, course_id int, room_id int, code text, status text, held_on date, updated_at ts',
      rows: times(60, (n) => [
        n,
        1 + (n % 12),
        1 + (n % 6),
        `C${1 + (n % 5)}`,
        pickNth(STATUS, n),
        day(n),
        moment(200),
      ]),
    },
    attendance: {
      columns: 'lesson_id int, student_id int, minutes_late int, excused_yn text',
      rows: times(60, (n) => n).flatMap((lesson) =>
        times(3, (k) => [lesson, 1 + ((lesson + k * 7) % 30), (lesson * k) % 9, pickNth(['Y', 'N'], lesson + k)]),
      ),
    },
    fees: {
      columns:
        'id int, student_id int, kind int, amount dec, balance dec, due_on date, paid_on date, billed_on date, status text',
      rows: times(45, (n) => [
        ...[n, 1 + (n % 30), 1 + (n % 3), 100 + n, n % 3 === 0 ? 100 + n : 0, day(n + 30)],
        ...[n % 3 === 0 ? null : day(n + 20), day(n), pickNth(STATUS, n)],
      ]),
    },
    remarks: {
      columns: 'id int, owner_id int, owner_type text, body text, author text',
      rows: times(24, (n) => [
        n,
        1 + (n % 6),
        pickNth(['student', 'teacher', 'room'], n),
        `Text ${n}`,
        `Teacher ${1 + (n % 8)}`,
      ]),
    },
    notices: {
      columns: 'id int, student_id int, created_at ts, read_at ts',
      rows: times(30, (n) => [n, 1 + (n % 12), `${day(n)} 07:00:00`, n % 4 === 0 ? null : `${day(n + 2)} 09:30:00`]),
    },
    study_sessions: {
      columns: 'student_id int, session_start_ts ts, session_end_ts ts',
      rows: times(30, (n) => [1 + (n % 12), `${day(n)} 15:00:00`, n % 7 === 0 ? null : `${day(n)} 16:1${n % 9}:00`]),
    },
    locker_keys: {
      // The room numbers don't refer to the rooms table: almost none of them is a key there.
      columns: 'key_id int, key_type text, room_id int, student_id int, deposit dec',
      rows: times(20, (n) => [n, pickNth(['main', 'spare'], n), 4 + n, 1 + (n % 30), 10]),
    },
    student_addresses: {
      columns: 'student_id int, street text, city text, postal_code text',
      rows: times(30, (n) => [n, `Street ${n}`, pickNth(['Bonn', 'Trier'], n), `5${1000 + n}`]),
    },
  },
  expected: {
    joins: [
      'teachers.supervisor -> teachers.id',
      'courses.teacher -> teachers.id',
      'enrolments.student -> students.id',
      'enrolments.course -> courses.id',
      'lessons.course_id -> courses.id',
      'lessons.room_id -> rooms.id',
      'attendance.lesson_id -> lessons.id',
      'attendance.student_id -> students.id',
      'fees.student_id -> students.id',
      'notices.student_id -> students.id',
      'study_sessions.student_id -> students.id',
      'locker_keys.student_id -> students.id',
      'student_addresses.student_id -> students.id',
    ],
    undecided: { 'locker_keys.room_id': /2 of 20/, 'remarks.owner_id': /owner_type/, 'locker_keys.key_id': null },
    keys: {
      ...{ students: ['id'], teachers: ['id'], courses: ['id'], enrolments: ['id'], fees: ['id'] },
      ...{ attendance: ['lesson_id', 'student_id'], student_addresses: ['student_id'] },
    },
    dates: {
      ...{ lessons: 'held_on', enrolments: 'enrolled_on', fees: 'billed_on', students: 'created_at' },
      ...{ notices: 'created_at', study_sessions: 'session_start_ts' },
    },
    adds: {
      ...{ 'fees.amount': 'sum', 'enrolments.final_score': 'average', 'courses.credits': 'sum', 'rooms.seats': 'sum' },
      ...{ 'courses.level': 'average' },
    },
    persons: [
      ...['students.name', 'students.email', 'students.date_of_birth', 'teachers.name'],
      'student_addresses.street',
    ],
    codes: ['courses.level', 'fees.kind', 'fees.status', 'remarks.owner_type'],
    words: { 'attendance.excused_yn': 'excused' },
  },
};
