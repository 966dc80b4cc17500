create table teachers(teacher_id int primary key, teacher_name text, subject text, hired_on date);
create table classes(class_id int primary key, class_name text, grade int, room text, homeroom_teacher_id int references teachers);
create table pupils(pupil_id int primary key, first_name text, last_name text, sex text, birthday date, class_id int references classes, enrolled_on date, left_on date, district text, lunch_free boolean);
create table courses(course_id int primary key, course_title text, subject text, teacher_id int references teachers, credits int, term text);
create table enrolments(pupil_id int references pupils, course_id int references courses, primary key(pupil_id, course_id));
create table exams(exam_id int primary key, course_id int references courses, exam_date date, max_points int, kind text);
create table results(exam_id int references exams, pupil_id int references pupils, points numeric(5,1), mark int, absent boolean, primary key(exam_id, pupil_id));
